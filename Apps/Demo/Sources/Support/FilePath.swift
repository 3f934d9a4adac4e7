internal import Arguments

/// The path of a file, as typed.
struct FilePath: ExpressibleByArgument, Sendable, Equatable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("A file has a name.") }
    path = argument
  }

  var defaultValueDescription: String { path }
}
