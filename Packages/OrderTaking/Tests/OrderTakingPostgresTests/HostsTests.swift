import Futures
import OrderTaking
import PostgresTesting
import Testing

@testable import OrderTakingPostgres

@Suite("Several hosts", .timeLimit(.minutes(1))) struct HostsTests {
  @Test("a worker connects to the second host when the first one does not answer") func silent() async throws {
    let cluster = try await Cluster.shared()
    let proxy = try NetworkProxy(to: cluster.server.port)
    await proxy.set(.silent)
    let scene = try await Scene(cluster)
    try await scene.session.run("CREATE ROLE second_host SUPERUSER LOGIN PASSWORD 'secret'")
    let server = "dbname=postgres user=second_host password=secret connect_timeout=1"
    let worker = try await PostgresJournal.open(
      PostgresConfiguration("host=127.0.0.1,127.0.0.1 port=\(proxy.port),\(cluster.server.port) \(server)"),
      retention: .forever, timers: .stopped
    ).get()
    #expect(try await worker.journal(of: scene.driver).record("1").get() == nil)
    try await worker.close().get()
    await proxy.set(.ended)
  }

  @Test("a connection attempt can begin with any host, and addresses and ports are reordered like the hosts")
  func rotation() {
    let hosts = PostgresHosts(PostgresConfiguration("postgres://a:1,b:2,c:3/orders"))
    #expect(hosts.count == 3)
    #expect(hosts.settings(from: 0) == [["host", "a,b,c"], ["port", "1,2,3"]])
    #expect(hosts.settings(from: 2) == [["host", "c,a,b"], ["port", "3,1,2"]])
    let addresses = PostgresHosts(PostgresConfiguration("host=a,b hostaddr=127.0.0.1,127.0.0.2 port=7"))
    #expect(addresses.settings(from: 1) == [["host", "b,a"], ["hostaddr", "127.0.0.2,127.0.0.1"]])
  }

  @Test(
    "a single host, and lists that libpq refuses, are not reordered",
    arguments: ["host=a port=1", "host=a,b port=1,2,3", "host=a,b hostaddr=127.0.0.1", "no pairs = malformed"])
  func unchanged(connection: String) {
    let hosts = PostgresHosts(PostgresConfiguration(connection))
    #expect(hosts.count == 1)
    #expect(hosts.settings(from: 0).isEmpty)
  }

  @Test("hosts share the time limit of connecting, and a shorter connect_timeout limits each of them")
  func timeLimit() {
    func limit(_ connection: String) -> Duration {
      var configuration = PostgresConfiguration(connection)
      configuration.connectTimeLimit = .seconds(6)
      return PostgresHosts(configuration).timeLimit
    }
    #expect(limit("host=a") == .seconds(6))
    #expect(limit("host=a,b") == .seconds(3))
    #expect(limit("host=a,b connect_timeout=2") == .seconds(2))
    #expect(limit("host=a,b connect_timeout=5") == .seconds(3))
    #expect(limit("host=a connect_timeout=0") == .seconds(6))
  }
}
