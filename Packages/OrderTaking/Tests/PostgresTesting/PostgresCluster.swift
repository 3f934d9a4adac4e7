#if os(Linux) || os(macOS)
  internal import Foundation
  internal import TestSupport

  /// A PostgreSQL server of its own, in a temporary folder, with durable commits.
  ///
  /// It listens to a socket in that folder, without a password, and to a free port of 127.0.0.1. It ends with the test process, however
  /// that happens, and then its folder is removed.
  public final class PostgresCluster: Sendable {
    public static func shared() async throws -> PostgresCluster { try await sharedCluster.value }

    private static let sharedCluster = Task { try await PostgresCluster() }

    public static var isInstalled: Bool { (try? findPrograms()) != nil }

    /// The port on 127.0.0.1.
    public let port: Int
    private let folder: String
    private let programs: String

    /// Creates a server, and waits until it accepts connections.
    ///
    /// - Throws: An error with the next step if PostgreSQL is not installed or cannot be started.
    public convenience init() async throws {
      try await self.init { folder in
        "initdb -D \(folder)/data -U postgres -E UTF8 --locale=C --auth-local=trust --auth-host=scram-sha-256 --no-sync "
          + "--wal-segsize=1"
      }
    }

    private init(command: (_ folder: String) -> String) async throws {
      programs = try Self.findPrograms()
      // A short path, because the path of a socket has at most 107 bytes.
      folder = "/tmp/pg-\(UUID().uuidString.prefix(8))"
      port = try Self.freePort()
      let made = try await run(
        """
        mkdir -m 755 \(folder) && \(Self.isRoot ? "chown postgres \(folder) &&" : "") cd \(folder) && \(asOwner) \
        \(programs)/\(command(folder))
        """)
      guard made.status == 0 else {
        throw PostgresClusterError(description: "Cannot create a PostgreSQL cluster: \(made.errors)")
      }
      try await start()
    }

    /// Starts the server, and waits until it accepts connections.
    public func start(environment: [String: String] = [:]) async throws {
      let variables = environment.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      // A server that was killed leaves processes, which end on their own.
      for _ in 0..<100 {
        let child = try ChildProcess(
          "/bin/sh",
          [
            "-c",
            """
            cd \(folder)
            rm -f stopped
            \(asOwner) /usr/bin/env \(variables) \(programs)/postgres -D data -k \(folder) -p \(port) -c listen_addresses=127.0.0.1 \
              -c max_connections=200 -c fsync=on -c deadlock_timeout=100ms >>log 2>&1 &
            server=$!
            while kill -0 \(getpid()) && kill -0 $server; do sleep 0.2; done 2>/dev/null
            kill -INT $server 2>/dev/null
            wait $server
            touch stopped
            # After a crash, the server is started again.
            kill -0 \(getpid()) 2>/dev/null && [ ! -e unused ] || rm -rf \(folder)
            """,
          ])
        scripts.append(child)
        let probe = try await run(
          """
          for i in $(seq 200); do
            \(programs)/pg_isready -q -h \(folder) -p \(port) && exit
            [ -e \(folder)/stopped ] && exit 1
            sleep 0.05
          done
          exit 1
          """)
        if probe.status == 0 { return }
      }
      throw PostgresClusterError(
        description: "Cannot start a PostgreSQL server in \(folder). Its log: "
          + ((try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "none"))
    }

    /// Ends the server, so that its folder is removed.
    deinit {
      _ = FileManager.default.createFile(atPath: folder + "/unused", contents: nil)
      try? signal(SIGINT)
      // After a crash without another start, no script removes the folder. The last processes of the server can still write to it.
      guard FileManager.default.fileExists(atPath: folder + "/stopped") else { return }
      for _ in 0..<20 where FileManager.default.fileExists(atPath: folder) {
        if (try? FileManager.default.removeItem(atPath: folder)) == nil { usleep(100_000) }
      }
    }

    /// Creates a server that replicates this one, and makes the commits of this one wait for it.
    public func makeReplica() async throws -> PostgresCluster {
      let (source, port) = (folder, port)
      let replica = try await PostgresCluster { folder in
        "pg_basebackup -h \(source) -p \(port) -U postgres -D \(folder)/data -R -X stream -c fast --no-sync"
      }
      _ = try await query(connection(), "ALTER SYSTEM SET synchronous_standby_names = '*'")
      _ = try await query(connection(), "SELECT pg_reload_conf()")
      while try await query(connection(), "SELECT sync_state FROM pg_stat_replication") != ["sync"] {}
      return replica
    }

    public func promote() async throws { _ = try await query(connection(), "SELECT pg_promote()") }

    /// Makes the server accept TLS connections, with a new self-signed certificate for `localhost`.
    ///
    /// - Returns: The path of the certificate, for `sslrootcert`.
    public func enableTLS() async throws -> String {
      let certificate = try await makeCertificate("server")
      for setting in [
        "ssl_cert_file = '\(certificate)'", "ssl_key_file = '\(folder)/server.key'", "ssl = on",
      ] {
        _ = try await query(connection(), "ALTER SYSTEM SET \(setting)")
      }
      _ = try await query(connection(), "SELECT pg_reload_conf()")
      while try await query(connection(), "SHOW ssl") != ["on"] {}
      return certificate
    }

    public func makeCertificate(_ name: String) async throws -> String {
      let file = "\(folder)/\(name)"
      let made = try await run(
        """
        cd \(folder) && \(asOwner) openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 1 \
          -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout \(file).key -out \(file).pem
        """)
      guard made.status == 0 else {
        throw PostgresClusterError(description: "Cannot create a certificate: \(made.errors)")
      }
      return file + ".pem"
    }

    public func crash() throws { try signal(SIGKILL) }

    private func signal(_ signal: Int32) throws {
      let file = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
      guard let process = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
        throw PostgresClusterError(description: "Cannot read the process of the server from \(file)")
      }
      kill(process, signal)
    }

    public func connection(to database: String = "postgres") -> String {
      "host=\(folder) port=\(port) dbname=\(database) user=postgres"
    }

    /// Returns a connection string for the one of two servers that accepts writes.
    public func connection(or other: PostgresCluster) -> String {
      "host=\(folder),\(other.folder) port=\(port),\(other.port) dbname=postgres user=postgres "
        + "target_session_attrs=read-write"
    }

    /// Returns the connection string of a new database.
    public func createDatabase() async throws -> String {
      let name = "test_\(UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: ""))"
      let made = try await run("\(programs)/createdb -h \(folder) -p \(port) -U postgres \(name)")
      guard made.status == 0 else {
        throw PostgresClusterError(description: "Cannot create a database: \(made.errors)")
      }
      return connection(to: name)
    }

    /// Runs statements in a database, and returns the rows without headers, a line each.
    public func query(_ connection: String, _ sql: String) async throws -> [String] {
      let child = try ChildProcess("\(programs)/psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, connection])
      let outcome = await child.outcome()
      guard outcome.status == 0 else { throw PostgresClusterError(description: outcome.errors) }
      return outcome.output.split(separator: "\n").map(String.init)
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
      let folders = versions.map { "/usr/lib/postgresql/\($0)/bin" } + path.split(separator: ":").map(String.init)
      let programs = ["initdb", "postgres", "pg_basebackup", "pg_isready", "createdb", "psql"]
      let found = folders.first { folder in programs.allSatisfy { files.isExecutableFile(atPath: "\(folder)/\($0)") } }
      guard let found else {
        throw PostgresClusterError(
          description:
            "Cannot find PostgreSQL's programs initdb and postgres in /usr/lib/postgresql/*/bin or on the PATH. "
            + "Run `Scripts/bootstrap`, or install the package postgresql.")
      }
      return found
    }

    public static func freePort() throws -> Int {
      #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
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
      guard isBound else { throw PostgresClusterError(description: "Cannot find a free port") }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }

  private struct PostgresClusterError: Error, CustomStringConvertible {
    let description: String
  }

  private func run(_ script: String) async throws -> ChildProcess.Outcome {
    try await ChildProcess("/bin/sh", ["-c", script]).outcome()
  }

  /// The scripts that end servers and remove their folders; a script is killed when it is released.
  private let scripts = Log<ChildProcess>()
#endif
