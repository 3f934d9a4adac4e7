/// An invalid value, or an invalid combination of values.
///
/// Throw it from ``ExpressibleByArgument/init(argument:)`` to describe the valid values, and from the `output` function
/// of a ``Command`` to reject a combination. In both cases the result is a usage error (``ExitCode/validationFailure``)
/// with this message.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as a sentence or the end of one: "expected a whole number".
  public let message: String

  /// Creates an error with a message.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
