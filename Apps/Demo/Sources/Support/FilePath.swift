internal import Arguments

struct FilePath: ExpressibleByArgument, Sendable, Equatable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("The path must not be empty.") }
    path = argument
  }

  var defaultValueDescription: String { path }
}
