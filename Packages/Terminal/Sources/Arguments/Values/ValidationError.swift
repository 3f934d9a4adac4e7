/// A value, or a combination of values, that a command cannot work with.
///
/// Throw it from ``ExpressibleByArgument/init(argument:)`` to say what was expected of one value, and from the
/// `output` function of a ``Command`` to refuse a combination. Either way the person gets a usage error
/// (``ExitCode/validationFailure``) with this message in it.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as a sentence or the end of one: "expected a whole number".
  public let message: String

  /// Makes an error that says `message`.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
