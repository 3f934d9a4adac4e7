internal import Arguments
internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingPostgres
internal import OrderTakingServer

/// The options of the commands that use an order server.
struct OrderOptions: Sendable {
  /// The server, or `nil` for the embedded one.
  var server: ServerAddress?
  var push: HostAndPort?
  var token: String
  /// The file with the trusted certificate authorities.
  var authorities: NonEmptyText?
  var journal: NonEmptyText?
  /// The database of the journal and of the embedded server.
  var database: PostgresConfiguration?
  var faults: ServerFaults
  var seed: UInt64
  var output: Output

  static let group = OptionGroup(output: OrderOptions.init) {
    CommonOptions.server
    Option<HostAndPort?>(
      "push", valueName: "host:port",
      help: "Push channel of --server, with TLS if its URL is https. Without it, the demo polls with GET.")
    Option<String>(
      "token", default: EmbeddedServer.token, valueName: "token",
      help: "Bearer token for the server and its push channel.")
    Option<NonEmptyText?>(
      "ca", valueName: "file", help: "Trust only the certificate authorities in this PEM file.", completion: .file)
    Option<NonEmptyText?>(
      "journal", valueName: "file",
      help: "Record each step in this file, so that an order survives a crash. The embedded server uses FILE.server.",
      completion: .file)
    Option<DatabaseAddress?>(
      "database", valueName: "url",
      help: "Record each step in this PostgreSQL database, which workers on other machines share. Not with --journal.")
    Option<FaultText?>(
      "faults", valueName: "spec",
      help: "Faults to simulate in the embedded server: all, or a list such as 503=0.2,lost=0.1.")
    CommonOptions.seed
    CommonOptions.json
    CommonOptions.quiet
  }

  /// The time limit for taking orders.
  static let timeout = Option<Seconds>(
    "timeout", default: Seconds(30), valueName: "seconds",
    help: "Time limit for the whole command, including retries; at most 120.")

  /// Checks a time limit for taking orders.
  ///
  /// A later process uses the deadline of the standard policy to decide whether a PUT can still be in flight.
  static func check(_ limit: Seconds) throws(ValidationError) {
    try reject(
      limit.duration > TakingPolicy.standard.deadline ?? .seconds(120),
      "'--timeout' must be at most 120. With '--journal', 'demo order resume' finishes an order that is still open then."
    )
  }

  private init(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: String, _ authorities: NonEmptyText?,
    _ journal: NonEmptyText?,
    _ database: DatabaseAddress?, _ faults: FaultText?, _ seed: UInt64?, _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    try reject(server == nil && push != nil, "'--push' can only be used with '--server'.")
    try reject(server != nil && faults != nil, "'--faults' and '--server' cannot be used together.")
    try reject(faults == nil && seed != nil, "'--seed' can only be used with '--faults'.")
    try reject(token.isEmpty, "'--token' must not be empty. Give a token, or omit the option.")
    try reject(journal != nil && database != nil, "'--database' and '--journal' cannot be used together.")
    try reject(
      authorities != nil && server?.url.scheme?.lowercased() != "https",
      "'--ca' can only be used with an https URL in '--server'.")
    (self.server, self.push, self.token, self.authorities) = (server, push, token, authorities)
    (self.journal, self.database) = (journal, try database?.checked())
    (self.faults, self.seed) = (faults?.faults ?? .none, seed ?? 1)
    output = Output(json: json, quiet: quiet)
  }

  /// Returns another command for the same server and journal, quoted for a shell.
  ///
  /// Secrets are replaced: the token, and URLs with a password.
  func command(_ name: String, _ order: String? = nil) -> String {
    var words: [String] = []
    if let journal { words += ["--journal", quoted(journal.text)] }
    if database != nil { words += ["--database", "URL"] }
    if let url = server?.url {
      words += ["--server", url.user == nil && url.password == nil ? quoted(url.absoluteString) : "URL"]
    }
    if server != nil, token != EmbeddedServer.token { words += ["--token", "TOKEN"] }
    if let push { words += ["--push", quoted(push.defaultValueDescription)] }
    if let authorities { words += ["--ca", quoted(authorities.text)] }
    // After `--`, a name that looks like an option is an argument.
    if let order { words = order.hasPrefix("-") ? words + ["--", quoted(order)] : [quoted(order)] + words }
    return (["demo", "order", name] + words).joined(separator: " ")
  }

  private func quoted(_ word: String) -> String {
    // `~` needs quotes, and in zsh a leading `=` does too.
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:@%+,=")
    let isPlain = !word.isEmpty && !word.hasPrefix("=") && word.allSatisfy(plain.contains)
    return isPlain ? word : "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}

/// The options of `demo order serve`.
struct ServeOptions: Sendable {
  var port: UInt16
  var pushPort: UInt16
  var orders: Int
  var state: NonEmptyText?
  var database: PostgresConfiguration?
  var token: String
  var faults: ServerFaults
  var seed: UInt64
  var tls: TLSIdentity?
  var output: Output

  init(
    _ port: UInt16, _ pushPort: UInt16, _ orders: Int, _ state: NonEmptyText?, _ database: DatabaseAddress?,
    _ token: String,
    _ faults: FaultText?, _ seed: UInt64?, _ certificate: NonEmptyText?, _ key: NonEmptyText?, _ json: Bool,
    _ quiet: Bool
  ) throws(ValidationError) {
    try reject(
      !(1...1_000_000).contains(orders), "'--orders' must be a number from 1 to 1000000, not \(orders).")
    try reject(faults == nil && seed != nil, "'--seed' can only be used with '--faults'.")
    try reject(token.isEmpty, "'--token' must not be empty. Give a token, or omit the option.")
    try reject(state != nil && database != nil, "'--database' and '--state' cannot be used together.")
    try reject((certificate == nil) != (key == nil), "'--tls-cert' and '--tls-key' must be used together.")
    (self.port, self.pushPort, self.orders, self.state) = (port, pushPort, orders, state)
    (self.database, self.token) = (try database?.checked(), token)
    (self.faults, self.seed) = (faults?.faults ?? .none, seed ?? 1)
    if let certificate, let key { tls = TLSIdentity(certificateChainFile: certificate.text, keyFile: key.text) }
    output = Output(json: json, quiet: quiet)
  }
}

/// The options of `demo order simulate`.
struct SimulateOptions: Sendable {
  var seed: UInt64
  var count: Int
  var liveness: Bool
  var output: Output

  init(_ seed: UInt64?, _ count: Int, _ liveness: Bool, _ json: Bool) throws(ValidationError) {
    try reject(!(1...100_000_000).contains(count), "'--count' must be a number from 1 to 100000000, not \(count).")
    self.seed = seed ?? 1
    try reject(
      self.seed > .max - UInt64(count),
      "The last seed must be at most \(UInt64.max - 1). Give a smaller '--seed' or '--count'.")
    (self.count, self.liveness, output) = (count, liveness, Output(json: json))
  }
}

/// Throws a validation error if a combination of options is wrong.
func reject(_ isWrong: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
  if isWrong { throw ValidationError(message()) }
}

struct HostAndPort: Sendable, Equatable {
  let host: String
  let port: Int
}

extension HostAndPort: ExpressibleByArgument {
  init(argument: String) throws(ValidationError) {
    guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
      (1...65_535).contains(port), colon > argument.startIndex
    else {
      throw ValidationError("expected a host and port such as 127.0.0.1:7001")
    }
    self.init(host: argument[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]")), port: port)
  }

  var defaultValueDescription: String { "\(host):\(port)" }
}

struct FaultText: ExpressibleByArgument, Sendable, Equatable {
  let faults: ServerFaults

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty, let faults = try? ServerFaults(argument) else {
      throw ValidationError(
        "expected all, or a list of chances from 0 to 1 such as 503=0.2,lost=0.1,reset=0.1,push-lost=0.1, or "
          + "script=503/lost/reset for the first requests")
    }
    self.faults = faults
  }

  var defaultValueDescription: String { "faults" }
}

/// The connection string of a PostgreSQL database.
///
/// It can contain a password, so no message contains it.
struct DatabaseAddress: ExpressibleByArgument, Sendable, Equatable {
  private let configuration: PostgresConfiguration

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a URL such as postgres://localhost/orders") }
    var configuration = PostgresConfiguration(argument)
    // A command with a wrong URL ends soon.
    configuration.statementTimeLimit = .seconds(5)
    configuration.connectTimeLimit = .seconds(5)
    self.configuration = configuration
  }

  /// Checks the connection string.
  ///
  /// Not in `init`, because the parser prints the values that `init` refuses.
  func checked() throws(ValidationError) -> PostgresConfiguration {
    guard let malformation = configuration.malformation else { return configuration }
    throw ValidationError("Cannot use the value of '--database': \(malformation). Correct it.")
  }

  var defaultValueDescription: String { "URL" }
}
