/// A successfully parsed command line.
public struct Invocation<Output> {
  /// The output of the command.
  public var output: Output

  /// The names of the commands, outermost first: `["demo", "order", "take"]`.
  public let commandPath: [String]
}

extension Invocation: Sendable where Output: Sendable {}
extension Invocation: Equatable where Output: Equatable {}
