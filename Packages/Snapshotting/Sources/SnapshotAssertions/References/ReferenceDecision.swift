/// What there is to know about a reference when a snapshot has been taken.
enum ReferenceState: Equatable {
  case matches
  case absent
  case differs
}

/// What an assertion does: pass, or fail with or without writing the reference.
struct ReferenceDecision: Equatable {
  /// Why it fails.
  enum Failure: Equatable {
    /// The mode is to record, whatever there is.
    case recording
    /// There is no reference.
    case absent
    /// There is another one.
    case differs
  }

  var writes: Bool
  var failure: Failure?

  /// The decision, from the mode and what there is.
  init(_ mode: SnapshotTestingConfiguration.Record.Mode, _ state: ReferenceState) {
    switch (mode, state) {
    case (.all, _): (writes, failure) = (true, .recording)
    case (_, .matches): (writes, failure) = (false, nil)
    case (.failed, .absent), (.missing, .absent): (writes, failure) = (true, .absent)
    case (.never, .absent): (writes, failure) = (false, .absent)
    case (.failed, .differs): (writes, failure) = (true, .differs)
    case (.missing, .differs), (.never, .differs): (writes, failure) = (false, .differs)
    }
  }
}
