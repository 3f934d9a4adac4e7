/// A line worth typing, shown in a command's help.
public struct CommandExample: Sendable, Equatable {
  /// The line as typed: `demo birds --save pictures`.
  public let line: String

  /// What it does.
  public let abstract: String

  /// Makes an example.
  public init(_ line: String, _ abstract: String = "") {
    self.line = line
    self.abstract = abstract
  }
}
