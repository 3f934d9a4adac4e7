internal import Arguments
internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingPostgres
internal import OrderTakingServer

enum OrderAction: Sendable {
  case take(order: String?, OrderOptions, within: TakingTimeLimit)
  case list(OrderOptions)
  case resume(OrderOptions, within: TakingTimeLimit)
  case status(order: String?, OrderOptions, within: Seconds)
  case repair(OrderOptions, acknowledgesLoss: Bool, rebinds: Bool)
  case migrate(PostgresConfiguration, json: Bool)
  case work(OrderOptions, PostgresConfiguration, workers: Int)
  case databaseStatus(PostgresConfiguration, json: Bool)
  case serve(ServeOptions)
  case simulate(SimulateOptions)
}

/// The time limit for taking orders.
///
/// At most the deadline of the standard policy: a later process uses that deadline to decide whether a PUT can still be in flight.
struct TakingTimeLimit: ExpressibleByArgument, Sendable, Equatable {
  let duration: Duration

  private static let longest = TakingPolicy.standard.deadline ?? .seconds(120)

  static let option = Option<TakingTimeLimit>(
    "timeout", default: TakingTimeLimit(duration: .seconds(30)), valueName: "seconds",
    help: "Time limit for the whole command, including retries; at most \(text(longest)).")

  init(duration: Duration) { self.duration = duration }

  init(argument: String) throws(ValidationError) {
    duration = try Seconds(argument: argument).duration
    guard duration <= Self.longest else {
      throw ValidationError(
        "expected at most \(Self.text(Self.longest)) seconds. "
          + "With '--journal', 'demo order resume' finishes an order that is still open then.")
    }
  }

  var defaultValueDescription: String { Self.text(duration) }

  private static func text(_ duration: Duration) -> String { (duration / .seconds(1)).formatted() }
}

extension OrderAction {
  /// The number of workers, in one process.
  static let workersOption = Option<Int>("workers", default: 1, valueName: "count", help: "Number of workers; 1 to 64.")

  @Sendable static func taking(
    _ order: String?, _ options: OrderOptions, _ database: DatabaseAddress?, _ time: TakingTimeLimit
  ) throws(ValidationError) -> OrderAction {
    var options = options
    try options.use(database)
    // The wait for another owner of the order counts for the time limit.
    options.database?.claimTimeLimit = time.duration
    return .take(order: order, options, within: time)
  }

  @Sendable static func listing(
    _ options: OrderOptions, _ database: DatabaseAddress?
  ) throws(ValidationError) -> OrderAction {
    var options = options
    guard database == nil || options.server == nil else {
      throw ValidationError("'--database' and '--server' cannot be used together.")
    }
    guard database == nil || options.faults == .none else {
      throw ValidationError("'--database' and '--faults' cannot be used together.")
    }
    try options.use(database)
    return .list(options)
  }

  @Sendable static func showing(
    _ order: String?, _ options: OrderOptions, _ database: DatabaseAddress?, _ limit: Seconds
  ) throws(ValidationError) -> OrderAction {
    guard let database else { return .status(order: order, options, within: limit) }
    var options = options
    try options.use(database)
    guard order == nil, options.server == nil else {
      throw ValidationError("'--database' shows the workers. It cannot be used with an order or '--server'.")
    }
    return .databaseStatus(database.configuration, json: options.json)
  }

  @Sendable static func working(
    _ database: DatabaseAddress, _ workers: Int, _ options: OrderOptions
  ) throws(ValidationError) -> OrderAction {
    guard (1...64).contains(workers) else {
      throw ValidationError("'--workers' must be a number from 1 to 64, not \(workers).")
    }
    var options = options
    try options.use(database)
    options.opensWorkers = true
    return .work(options, database.configuration, workers: workers)
  }

  @Sendable static func migrating(_ database: DatabaseAddress, _ json: Bool) throws(ValidationError) -> OrderAction {
    .migrate(try database.checked(), json: json)
  }
}

/// The options of `take`, `list`, `resume`, `status`, `repair` and `work`.
struct OrderOptions: Sendable {
  var server: ServerAddress?
  var push: HostAndPort?
  var token: String
  var journal: FilePath?
  /// The database of the journal and of the embedded server.
  var database: PostgresConfiguration?
  /// Whether the command opens its workers on the database itself.
  var opensWorkers = false
  /// The file in which the embedded server stores its orders.
  var state: String?
  var faults: ServerFaults
  var seed: UInt64
  var json: Bool
  var quiet: Bool
  var tls = ClientTLS.none

  /// The options of `take`, `resume` and `status`.
  ///
  /// - Parameter journal: The help for `--journal`.
  static func declarations(journal: String) -> OptionGroup<OrderOptions> {
    OptionGroup(output: forTaking) {
      CommonOptions.server
      pushOption
      tokenOption
      Option<FilePath?>("journal", valueName: "file", help: journal, completion: .file)
      faultsOption
      CommonOptions.seed
      CommonOptions.json
      CommonOptions.quiet
      ClientTLS.options
    }
  }

  /// The options of `work`, whose journal is a database.
  static let workingDeclarations = OptionGroup(output: forWorking) {
    CommonOptions.server
    pushOption
    tokenOption
    faultsOption
    CommonOptions.seed
    CommonOptions.json
    CommonOptions.quiet
    ClientTLS.options
  }

  /// The options of `list`, which needs no push channel.
  static let listDeclarations = OptionGroup(output: forListing) {
    CommonOptions.server
    tokenOption
    Option<FilePath?>(
      "journal", valueName: "file", help: "List the open orders of the embedded server that uses this journal.",
      completion: .file)
    faultsOption
    CommonOptions.seed
    CommonOptions.json
    ClientTLS.options
  }

  /// The options of `repair`, which sends no request.
  static let repairDeclarations = OptionGroup(output: forRepairing) {
    CommonOptions.server
    Option<FilePath?>("journal", valueName: "file", help: "The journal.", completion: .file)
    CommonOptions.json
  }

  private static let pushOption = Option<HostAndPort?>(
    "push", valueName: "host:port",
    help:
      "Push channel of the server given with --server, with TLS if its URL is https. Without it, the demo polls with GET."
  )
  private static let tokenOption = Option<String>(
    "token", default: EmbeddedServer.token, valueName: "token",
    help: "Bearer token for the server and its push channel.")
  private static let faultsOption = Option<FaultText?>(
    "faults", valueName: "spec",
    help: "Faults to simulate in the embedded server: all, or a list such as 503=0.2,lost=0.1.")

  @Sendable private static func forTaking(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: String, _ journal: FilePath?, _ faults: FaultText?,
    _ seed: UInt64?, _ json: Bool, _ quiet: Bool, _ tls: ClientTLS
  ) throws(ValidationError) -> OrderOptions {
    guard server != nil || push == nil else {
      throw ValidationError("'--push' can only be used with '--server'.")
    }
    var options = try OrderOptions(server, push, token, journal, state: journal, faults, seed, json, quiet)
    try options.use(tls)
    return options
  }

  @Sendable private static func forWorking(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: String, _ faults: FaultText?, _ seed: UInt64?,
    _ json: Bool, _ quiet: Bool, _ tls: ClientTLS
  ) throws(ValidationError) -> OrderOptions {
    try forTaking(server, push, token, nil, faults, seed, json, quiet, tls)
  }

  @Sendable private static func forListing(
    _ server: ServerAddress?, _ token: String, _ journal: FilePath?, _ faults: FaultText?, _ seed: UInt64?,
    _ json: Bool,
    _ tls: ClientTLS
  ) throws(ValidationError) -> OrderOptions {
    guard server == nil || journal == nil else {
      throw ValidationError("'--journal' and '--server' cannot be used together.")
    }
    var options = try OrderOptions(server, nil, token, journal, state: journal, faults, seed, json, false)
    try options.use(tls)
    return options
  }

  /// Sets the database of the journal.
  mutating func use(_ database: DatabaseAddress?) throws(ValidationError) {
    guard database == nil || journal == nil else {
      throw ValidationError("'--database' and '--journal' cannot be used together.")
    }
    self.database = try database?.checked()
  }

  private mutating func use(_ tls: ClientTLS) throws(ValidationError) {
    try tls.check(with: server)
    self.tls = tls
  }

  @Sendable private static func forRepairing(
    _ server: ServerAddress?, _ journal: FilePath?, _ json: Bool
  ) throws(ValidationError) -> OrderOptions {
    try OrderOptions(server, nil, EmbeddedServer.token, journal, state: nil, nil, nil, json, false)
  }

  private init(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: String, _ journal: FilePath?, state: FilePath?,
    _ faults: FaultText?, _ seed: UInt64?, _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    guard server == nil || faults == nil else {
      throw ValidationError("'--faults' and '--server' cannot be used together.")
    }
    try SeededFaults.check(faults, seed)
    try BearerToken.check(token)
    (self.server, self.push, self.token, self.journal) = (server, push, token, journal)
    (self.json, self.quiet) = (json, quiet)
    self.state = state.map { $0.path + ".server" }
    (self.faults, self.seed) = (faults?.faults ?? .none, seed ?? 1)
  }
}

private enum SeededFaults {
  static func check(_ faults: FaultText?, _ seed: UInt64?) throws(ValidationError) {
    guard faults != nil || seed == nil else {
      throw ValidationError("'--seed' can only be used with '--faults'.")
    }
  }
}

private enum BearerToken {
  static func check(_ token: String) throws(ValidationError) {
    guard !token.isEmpty else {
      throw ValidationError("'--token' must not be empty. Give a token, or omit the option.")
    }
  }
}

struct ServeOptions: Sendable {
  var port: Port
  var pushPort: Port
  var orders: Int
  var state: FilePath?
  var database: PostgresConfiguration?
  var token: String
  var faults: ServerFaults
  var seed: UInt64
  var tls: TLSIdentity?
  var auditLog: FilePath?
  var json: Bool
  /// Whether only the address and failures of the server are printed.
  var quiet: Bool

  init(
    _ port: Port, _ pushPort: Port, _ orders: Int, _ state: FilePath?, _ database: DatabaseAddress?, _ token: String,
    _ faults: FaultText?,
    _ seed: UInt64?, _ certificate: FilePath?, _ key: FilePath?, _ clientAuthorities: FilePath?, _ auditLog: FilePath?,
    _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    guard (1...1_000_000).contains(orders) else {
      throw ValidationError("'--orders' must be a number from 1 to 1000000, not \(orders).")
    }
    try SeededFaults.check(faults, seed)
    try BearerToken.check(token)
    (self.port, self.pushPort, self.orders, self.state) = (port, pushPort, orders, state)
    guard state == nil || database == nil else {
      throw ValidationError("'--database' and '--state' cannot be used together.")
    }
    self.database = try database?.checked()
    (self.token, self.faults, self.seed) = (token, faults?.faults ?? .none, seed ?? 1)
    (self.auditLog, self.json, self.quiet) = (auditLog, json, quiet)
    if let state, let auditLog, ["", "-wal", "-shm"].contains(where: { state.path + $0 == auditLog.path }) {
      throw ValidationError("'--audit-log' and '--state' must not use the same file. Use another path.")
    }
    let tlsOptions = [("--tls-cert", certificate), ("--tls-key", key), ("--client-ca", clientAuthorities)]
    if let given = tlsOptions.first(where: { $0.1 != nil }),
      let missing = tlsOptions.prefix(2).first(where: { $0.1 == nil })
    {
      throw ValidationError("'\(given.0)' needs '\(missing.0)'.")
    }
    if let certificate, let key {
      tls = TLSIdentity(
        certificateChainFile: certificate.path, keyFile: key.path, clientCAFile: clientAuthorities?.path)
    }
  }
}

struct SimulateOptions: Sendable {
  var seed: UInt64
  var count: Int
  var liveness: Bool
  var json: Bool

  init(_ seed: UInt64?, _ count: Int, _ liveness: Bool, _ json: Bool) throws(ValidationError) {
    let seed = seed ?? 1
    guard (1...100_000_000).contains(count) else {
      throw ValidationError("'--count' must be a number from 1 to 100000000, not \(count).")
    }
    guard count == 1 || seed <= .max - UInt64(count) else {
      throw ValidationError(
        "The last seed must be at most \(UInt64.max - 1). Give a smaller '--seed' or '--count'.")
    }
    (self.seed, self.count, self.liveness, self.json) = (seed, count, liveness, json)
  }
}

struct HostAndPort: ExpressibleByArgument, Sendable, Equatable {
  let host: String
  let port: Int

  init(_ host: String, _ port: Int) {
    self.host = host
    self.port = port
  }

  init(argument: String) throws(ValidationError) {
    guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
      (1...65_535).contains(port), colon > argument.startIndex
    else {
      throw ValidationError("expected a host and port such as 127.0.0.1:7001")
    }
    self.port = port
    host = argument[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
  }

  var defaultValueDescription: String { "\(host):\(port)" }
}

struct FaultText: ExpressibleByArgument, Sendable, Equatable {
  let faults: ServerFaults
  private let text: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else {
      throw ValidationError("expected all, or a list such as 503=0.2,lost=0.1")
    }
    do throws(FaultSpecificationError) {
      faults = try ServerFaults(argument)
      text = argument
    } catch {
      // The parser prints the value before this message.
      let repetition = "Cannot read \"\(argument)\": "
      throw ValidationError(
        error.description.hasPrefix(repetition)
          ? String(error.description.dropFirst(repetition.count)) : error.description)
    }
  }

  var defaultValueDescription: String { text }
}
