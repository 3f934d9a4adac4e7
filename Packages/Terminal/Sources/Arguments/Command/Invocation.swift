/// A command line that was understood.
public struct Invocation<Output> {
  /// What the command made of its arguments.
  public var output: Output

  /// The names of the commands, outermost first: `["demo", "order", "take"]`.
  public let commandPath: [String]

  /// The same command line, spelled in one canonical way, without the outermost name.
  ///
  /// Parsing it again gives the same output and the same spelling, so it is what to print where a person should be
  /// able to repeat a run. Each command's options stand before the name of its subcommand, by their long names and in the
  /// order declared; values that were not given are not there.
  public let arguments: [String]
}

extension Invocation: Sendable where Output: Sendable {}
extension Invocation: Equatable where Output: Equatable {}
