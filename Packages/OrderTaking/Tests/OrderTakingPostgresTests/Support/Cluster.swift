import Foundation
import Futures
import TestSupport

@testable import OrderTakingPostgres

/// A PostgreSQL server of its own, in a temporary folder, with durable commits.
///
/// It listens to a socket in that folder, and to a free port of 127.0.0.1. It ends when the test process ends, however that
/// happens, and then its folder is removed.
final class Cluster: Sendable {
  /// The server that most tests share.
  ///
  /// They use different drivers.
  static func shared() async throws -> Cluster { try await sharedCluster.value }

  private static let sharedCluster = Task {
    let cluster = try await Cluster()
    _ = try await PostgresJournal.migrate(cluster.configuration()).get()
    return cluster
  }

  let port: Int
  private let folder: String
  private let programs: String

  init() async throws {
    programs = try Self.findPrograms()
    // A short path, because the path of a socket has at most 107 bytes.
    folder = "/tmp/pg-\(UUID().uuidString.prefix(8))"
    port = try Self.freePort()
    let made = try await run(
      """
      mkdir -m 755 \(folder) && \(Self.isRoot ? "chown postgres \(folder) &&" : "") cd \(folder) && \(asOwner) \
      \(programs)/initdb -D \(folder)/data -U postgres -E UTF8 --locale=C --auth-local=trust --auth-host=scram-sha-256 \
      --no-sync --wal-segsize=1
      """)
    guard made.status == 0 else {
      throw ClusterError(description: "Cannot create a PostgreSQL cluster: \(made.errors)")
    }
    try await start()
  }

  /// Starts the server, and waits until it accepts connections.
  func start() async throws {
    // A server that was killed leaves processes, which end on their own.
    for _ in 0..<100 {
      let child = try ChildProcess(
        "/bin/sh",
        [
          "-c",
          """
          cd \(folder)
          \(asOwner) \(programs)/postgres -D data -k \(folder) -p \(port) -c listen_addresses=127.0.0.1 \
            -c max_connections=60 -c fsync=on -c deadlock_timeout=100ms >>log 2>&1 &
          server=$!
          while kill -0 \(getpid()) && kill -0 $server; do sleep 0.2; done 2>/dev/null
          kill -INT $server 2>/dev/null
          wait $server
          # The file remains after a crash, from which the server is started again.
          kill -0 \(getpid()) 2>/dev/null && [ -e data/postmaster.pid ] || rm -rf \(folder)
          """,
        ])
      scripts.append(child)
      let probe = PostgresPool(configuration())
      let isReady = try? await probe.run(Statement(name: "", sql: "SELECT 1")).get()
      probe.close()
      if isReady != nil { return }
    }
    throw ClusterError(
      description: "Cannot start a PostgreSQL server in \(folder). Its log: "
        + ((try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "none"))
  }

  /// Ends the server, so that its folder is removed.
  deinit { try? signal(SIGINT) }

  /// Kills the server as a crash would.
  func crash() throws { try signal(SIGKILL) }

  private func signal(_ signal: Int32) throws {
    let file = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
    guard let process = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw ClusterError(description: "Cannot read the process of the server from \(file)")
    }
    kill(process, signal)
  }

  /// A configuration for a database, through the socket.
  func configuration(_ database: String = "postgres", user: String = "postgres") -> PostgresConfiguration {
    var configuration = PostgresConfiguration("host=\(folder) port=\(port) dbname=\(database) user=\(user)")
    configuration.claimInterval = .milliseconds(20)
    return configuration
  }

  /// Creates an empty database.
  func createDatabase() async throws -> PostgresConfiguration {
    let name = "test_\(UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: ""))"
    try await Session(configuration()).run("CREATE DATABASE \(name)")
    return configuration(name)
  }

  // MARK: Programs

  private static let isRoot = getuid() == 0

  /// The server refuses to run as root.
  private var asOwner: String { Self.isRoot ? "setpriv --reuid=postgres --regid=postgres --clear-groups" : "" }

  private static func findPrograms() throws -> String {
    let files = FileManager.default
    let versions = ((try? files.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? [])
      .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + versions.map { "/usr/lib/postgresql/\($0)/bin" }
    guard let found = folders.first(where: { files.isExecutableFile(atPath: $0 + "/initdb") }) else {
      throw ClusterError(
        description: "Cannot find PostgreSQL's program initdb on the PATH or in /usr/lib/postgresql/*/bin. "
          + "Run `Scripts/bootstrap test`, or install the package postgresql.")
    }
    return found
  }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw ClusterError(description: "Cannot find a free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

struct ClusterError: Error, CustomStringConvertible {
  let description: String
}

private func run(_ script: String) async throws -> ChildProcess.Outcome {
  try await ChildProcess("/bin/sh", ["-c", script]).outcome()
}

/// The scripts that end servers and remove their folders.
///
/// A script is killed when it is released.
private let scripts = Log<ChildProcess>()

/// A session on a single connection, for statements of a test.
final class Session: Sendable {
  private let pool: PostgresPool

  init(_ configuration: PostgresConfiguration) {
    var configuration = configuration
    configuration.poolSize = 1
    pool = PostgresPool(configuration)
  }

  deinit { pool.close() }

  @discardableResult
  func run(_ sql: String, _ parameters: [Parameter] = []) async throws -> [Row] {
    try await pool.run(Statement(name: "", sql: sql), parameters).get()
  }
}
