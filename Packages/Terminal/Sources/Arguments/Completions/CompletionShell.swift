/// A shell with support for completion scripts.
public enum CompletionShell: String, CaseIterable, ExpressibleByArgument, Equatable {
  /// GNU Bash, 3.2 or later.
  case bash
  /// The Z shell with its `compinit` completion system.
  case zsh
  /// The friendly interactive shell, 3.1 or later.
  case fish
}
