public enum TakingOutcome: Hashable, Sendable {
  /// The server accepted the order; its details may be missing.
  case accepted(hasDetails: Bool)

  case declined(reason: String)

  /// The server rejected the request and did not process it.
  case rejected(status: Int)

  /// It was cancelled, and no PUT can have reached the server.
  case cancelled

  /// See ``OrderTakingFailure/Kind/expired``.
  case expired

  /// The server has the idempotency key with another body, and no PUT of this operation can have reached it.
  case keyMismatch

  /// The server no longer has the idempotency key, and did not process a PUT of this operation.
  case keyExpired

  /// The journal could not be written, so no PUT was sent and nothing is recorded.
  case unrecorded

  /// The server may have accepted the order, now or after a restart.
  case unknown(UnknownCause)

  public enum UnknownCause: Hashable, Sendable {
    case cancelled
    /// The time or the number of attempts was exceeded, or TLS failed.
    case expired
    /// The server answered GET with this status.
    case refused(status: Int)
    /// A write to the journal failed. The journal may contain an earlier step, from which the next process would take
    /// the order.
    case journal
    case fenced
  }
}
