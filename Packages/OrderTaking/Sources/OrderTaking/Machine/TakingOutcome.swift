/// The outcome of an operation.
public enum TakingOutcome: Hashable, Sendable {
  /// The server accepted the order; its details may be missing.
  case accepted(hasDetails: Bool)

  /// The server declined the order, for a reason.
  case declined(reason: String)

  /// The server rejected the request and did not process it.
  case rejected(status: Int)

  /// It was cancelled before a PUT can have reached the server.
  case cancelled

  /// The time or the number of attempts was exceeded before a PUT can have reached the server.
  case expired

  /// The server has the idempotency key with another body, and no PUT of this operation can have reached it.
  case keyMismatch

  /// The server no longer has the idempotency key, and did not process a PUT of this operation.
  case keyExpired

  /// The journal could not be written, so no PUT was sent.
  case unrecorded

  /// A PUT may have reached the server, and its result is unknown.
  case unknown(UnknownCause)

  /// The reason for an unknown outcome.
  public enum UnknownCause: Hashable, Sendable {
    /// The operation was cancelled.
    case cancelled
    /// The time or the number of attempts was exceeded.
    case expired
    /// The server answered GET with this status.
    case refused(status: Int)
  }
}

/// The phase of an operation.
///
/// Four phases are states of *Reasons to love functional programming*; their names there are in parentheses.
public enum TakingPhase: Hashable, Sendable {
  /// It has not begun.
  case ready

  /// PUTs are sent until the server acknowledges one (`putRequestNotAcknowledgedYet`).
  case putNotAcknowledged

  /// The server has acknowledged a PUT, and a push is awaited (`putRequestAcknowledgedGetNotStarted`).
  case acknowledgedGetNotStarted

  /// GETs are sent until the result is known (`runningGetRequests`).
  case runningGets

  /// The server has accepted the order, and its details are requested.
  case fetchingDetails

  /// It has ended (`result`).
  case ended(TakingOutcome)
}

/// The event that an operation waits for.
public enum TakingActivity: Hashable, Sendable {
  /// Nothing.
  case none
  /// The answer to a request.
  case request
  /// The end of a pause.
  case pause
  /// A fresh token.
  case token
}
