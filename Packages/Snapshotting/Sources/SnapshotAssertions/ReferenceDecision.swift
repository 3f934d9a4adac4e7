/// The result of the comparison of a snapshot with its reference.
enum ReferenceState: Equatable {
  case matches
  case absent
  case differs
}

/// The decision of an assertion: pass, or fail with or without recording.
struct ReferenceDecision: Equatable {
  /// The reason of a failure.
  enum Failure: Equatable {
    /// The mode records every snapshot.
    case recording
    /// The reference is absent.
    case absent
    /// The reference differs.
    case differs
  }

  var writes: Bool
  var failure: Failure?
  /// Whether the snapshot waits for a review.
  var leavesPending = false

  /// Decides by the mode and the state of the reference.
  init(_ mode: SnapshotTestingConfiguration.Record.Mode, _ state: ReferenceState) {
    switch (mode, state) {
    case (.all, _): (writes, failure) = (true, .recording)
    case (_, .matches): (writes, failure) = (false, nil)
    case (.failed, .absent), (.missing, .absent): (writes, failure) = (true, .absent)
    case (.pending, .absent), (.never, .absent): (writes, failure) = (false, .absent)
    case (.failed, .differs): (writes, failure) = (true, .differs)
    case (.missing, .differs), (.pending, .differs), (.never, .differs): (writes, failure) = (false, .differs)
    }
    leavesPending = !writes && failure != nil && mode != .never
  }
}
