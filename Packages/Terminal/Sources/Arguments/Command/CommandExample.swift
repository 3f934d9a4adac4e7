/// An example command line, shown in a command's help.
public struct CommandExample: Sendable, Equatable {
  /// The command line: `demo birds --save pictures`.
  public let line: String

  /// The effect of the command line.
  public let abstract: String

  /// Creates an example.
  public init(_ line: String, _ abstract: String = "") {
    self.line = line
    self.abstract = abstract
  }
}
