internal import Arguments

struct FilePath: ExpressibleByArgument, Sendable, Equatable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a file name") }
    path = argument
  }

  var defaultValueDescription: String { path }
}
