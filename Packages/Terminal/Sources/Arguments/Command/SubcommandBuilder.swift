/// Collects subcommands written one below the other; all have the same output type.
@resultBuilder
public enum SubcommandBuilder<Output> {
  /// Returns the commands unchanged.
  public static func buildBlock(_ commands: Command<Output>...) -> [Command<Output>] {
    commands
  }
}
