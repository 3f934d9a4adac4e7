internal import Arguments
internal import OrderTakingPostgres

/// The connection string of a PostgreSQL database.
///
/// It can contain a password, so messages contain the word `URL` in its place.
struct DatabaseAddress: ExpressibleByArgument, Sendable, Equatable {
  let configuration: PostgresConfiguration

  /// The option of commands that can use a database or a file.
  static let option = Option<DatabaseAddress?>(
    "database", valueName: "url",
    help: "Record each step in this PostgreSQL database, which workers on other machines share. Not with --journal.")

  /// The option of commands that need a database.
  static let requiredOption = Option<DatabaseAddress>(
    "database", valueName: "url",
    help: "PostgreSQL database, as a URL or a connection string of libpq. Put the password into a password file.")

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a URL such as postgres://localhost/orders") }
    var configuration = PostgresConfiguration(argument)
    // A command with a wrong URL ends soon.
    configuration.statementTimeLimit = .seconds(5)
    configuration.connectTimeLimit = .seconds(5)
    self.configuration = configuration
  }

  var defaultValueDescription: String { "URL" }
}
