internal import Arguments
internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingPostgres
internal import OrderTakingServer

/// The options of the commands that use an order server.
struct OrderOptions: Sendable {
  /// The server, or `nil` for the embedded one.
  let server: ServerAddress?
  let push: HostAndPort?
  let token: String
  /// The file with the trusted certificate authorities.
  let authorities: String?
  let journal: String?
  /// The database of the journal and of the embedded server.
  let database: PostgresConfiguration?
  let faults: ServerFaults
  let seed: UInt64
  let output: Output

  static let group = OptionGroup(output: OrderOptions.init) {
    CommonOptions.server
    Option<HostAndPort?>(
      "push", valueName: "host:port",
      help: "Push channel of --server, with TLS if its URL is https. Without it, the demo polls with GET.")
    Option<NonEmptyText>(
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
      help:
        "Record each step in this PostgreSQL database, which workers on other machines share. It belongs to one server and one driver. Not with --journal."
    )
    Option<FaultText?>(
      "faults", valueName: "spec",
      help: "Faults to simulate in the embedded server: all, or a list such as 503=0.2,lost=0.1.")
    CommonOptions.seed
    CommonOptions.json
    CommonOptions.quiet
  }

  /// The time limit for taking orders.
  ///
  /// A later process uses the deadline of the standard policy to decide whether a PUT can still be in flight.
  static let timeout = OptionGroup(
    output: { (limit: Seconds) throws(ValidationError) -> Duration in
      try reject(
        limit.duration > TakingPolicy.standard.deadline ?? .seconds(120),
        "'--timeout' must be at most 120. With '--journal', 'demo order resume' finishes an order that is still open then."
      )
      return limit.duration
    }
  ) {
    Option<Seconds>(
      "timeout", default: Seconds(30), valueName: "seconds",
      help: "Time limit for the whole command, including retries; at most 120.")
  }

  private init(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: NonEmptyText, _ authorities: NonEmptyText?,
    _ journal: NonEmptyText?,
    _ database: DatabaseAddress?, _ faults: FaultText?, _ seed: UInt64?, _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    try reject(server == nil && push != nil, "'--push' can only be used with '--server'.")
    try reject(server != nil && faults != nil, "'--faults' and '--server' cannot be used together.")
    try reject(faults == nil && seed != nil, "'--seed' can only be used with '--faults'.")
    try reject(journal != nil && database != nil, "'--database' and '--journal' cannot be used together.")
    try reject(
      authorities != nil && server?.url.scheme?.lowercased() != "https",
      "'--ca' can only be used with an https URL in '--server'.")
    (self.server, self.push, self.token, self.authorities) = (server, push, token.text, authorities?.text)
    (self.journal, self.database) = (journal?.text, try database?.checked())
    (self.faults, self.seed) = (faults?.faults ?? .none, seed ?? 1)
    output = Output(json: json, quiet: quiet)
  }

  /// Returns the path of the journal, which must exist.
  func existingJournal() throws(DemoError) -> String {
    let path = journal ?? ""
    guard FileManager.default.fileExists(atPath: path) else {
      throw DemoError(
        "Cannot open the journal \(path): the file does not exist.",
        next: "Give the file used with 'demo order take --journal'.")
    }
    return path
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
