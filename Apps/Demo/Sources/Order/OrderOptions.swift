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
        "Record each step in this PostgreSQL database, which workers on other machines share. Not with --journal."
    )
    Option<FaultText?>(
      "faults", valueName: "names",
      help: "Faults to simulate in the embedded server: all, or names such as lost-response,lost-push.")
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
    (self.journal, self.database) = (journal?.text, database?.configuration)
    self.faults = faults?.faults(seed: seed) ?? .none
    output = Output(json: json, quiet: quiet)
  }

  func requireStorage(_ command: String) throws(ValidationError) {
    try reject(
      journal == nil && database == nil,
      "'demo order \(command)' needs a journal. Add --journal FILE or --database URL.")
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

/// Names of the faults of a server.
struct FaultText: ExpressibleByArgument, Sendable, Equatable {
  private let kinds: Set<ServerFault>

  init(argument: String) throws(ValidationError) {
    if argument == "all" {
      kinds = Set(ServerFault.allCases)
      return
    }
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    let faults = names.compactMap { ServerFault(rawValue: String($0)) }
    guard faults.count == names.count else {
      throw ValidationError(
        "expected all, or names from " + ServerFault.allCases.map(\.rawValue).joined(separator: ", "))
    }
    kinds = Set(faults)
  }

  func faults(seed: UInt64?) -> ServerFaults {
    ServerFaults(kinds, probability: kinds.count == 1 ? 0.3 : 0.15, seed: seed ?? 1)
  }

  var defaultValueDescription: String { "faults" }
}

/// The connection string of a PostgreSQL database.
///
/// It can contain a password, so no message contains it.
struct DatabaseAddress: ExpressibleByArgument, Sendable, Equatable {
  let configuration: PostgresConfiguration

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a URL such as postgres://localhost/orders") }
    var configuration = PostgresConfiguration(argument)
    // A command with a wrong URL ends soon.
    configuration.statementTimeLimit = .seconds(5)
    self.configuration = configuration
  }

  var defaultValueDescription: String { "URL" }
}
