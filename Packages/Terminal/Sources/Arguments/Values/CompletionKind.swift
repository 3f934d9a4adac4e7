/// The completions that a shell offers for a value.
public enum CompletionKind: Sendable, Equatable {
  /// No completions.
  case none
  /// Files and directories.
  case file
  /// Directories.
  case directory
  /// These words.
  case list([String])
}
