enum ReferenceState: Equatable {
  case matches
  case absent
  case differs
}

struct ReferenceDecision: Equatable {
  enum Failure: Equatable {
    case recording
    case absent
    case differs
  }

  var writes: Bool
  var failure: Failure?
  var leavesPending = false

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
