/// What a shell offers when a person asks it to complete a value.
public enum CompletionKind: Sendable, Equatable {
  /// Nothing.
  case none
  /// Files and directories.
  case file
  /// Directories.
  case directory
  /// These words.
  case list([String])
}
