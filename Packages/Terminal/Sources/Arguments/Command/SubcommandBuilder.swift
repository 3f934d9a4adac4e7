/// Collects subcommands written one below the other; all have the same output.
@resultBuilder
public enum SubcommandBuilder<Output> {
  /// Takes the commands as they are.
  public static func buildBlock(_ commands: Command<Output>...) -> [Command<Output>] {
    commands
  }
}
