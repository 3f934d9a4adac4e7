/// A successfully parsed command line.
public struct Invocation<Output> {
  /// The output of the command.
  public var output: Output

  /// The names of the commands, outermost first: `["demo", "order", "take"]`.
  public let commandPath: [String]

  /// The canonical spelling of the command line, without the outermost name.
  ///
  /// Parsing it again gives the same output and the same spelling, so print it to let a person repeat a run. Each
  /// command's options come before the name of its subcommand, by their long names and in declaration order. Absent
  /// values are omitted.
  public let arguments: [String]
}

extension Invocation: Sendable where Output: Sendable {}
extension Invocation: Equatable where Output: Equatable {}
