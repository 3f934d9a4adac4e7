internal import Arguments
internal import OrderTakingPostgres

/// The connection string of a PostgreSQL database.
///
/// It can contain a password, so messages contain the word `URL` in its place.
struct DatabaseAddress: ExpressibleByArgument, Sendable, Equatable {
  let configuration: PostgresConfiguration

  /// The option of `take`.
  static let option = Option<DatabaseAddress?>(
    "database", valueName: "url",
    help: "Record each step in this PostgreSQL database, which workers on other machines share. Not with --journal.")

  /// The option of `status`.
  static let statusOption = Option<DatabaseAddress?>(
    "database", valueName: "url", help: "Show the workers of this PostgreSQL database. Not with --journal.")

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

  /// Checks the connection string.
  ///
  /// The parser prints the values that `init` refuses, and this one can contain a password.
  func checked() throws(ValidationError) -> PostgresConfiguration {
    guard let malformation = configuration.malformation else { return configuration }
    throw ValidationError("Cannot use the value of '--database': \(malformation). Correct it.")
  }

  var defaultValueDescription: String { "URL" }
}
