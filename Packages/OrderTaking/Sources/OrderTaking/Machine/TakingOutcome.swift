/// How an operation ended.
public enum TakingOutcome: Hashable, Sendable {
  /// The order is ours, with or without its details.
  case accepted(hasDetails: Bool)

  /// The server gave the order to somebody else, or to nobody, for a reason.
  case declined(reason: String)

  /// The server refuses the request as such and has not taken it up.
  case rejected(status: Int)

  /// It was cancelled, and no PUT can have reached the server.
  case cancelled

  /// Time or attempts were used up, and no PUT can have reached the server.
  case expired

  /// The server knows the idempotency key with another body, and no PUT of ours can have reached it.
  case keyMismatch

  /// The server has forgotten the idempotency key, and has taken up no PUT of ours.
  case keyExpired

  /// The journal could not be written, so no PUT was sent.
  case unrecorded

  /// A PUT may have reached the server, and nobody knows what came of it.
  case unknown(UnknownCause)

  /// Why nobody knows.
  public enum UnknownCause: Hashable, Sendable {
    /// The operation was cancelled.
    case cancelled
    /// Time or attempts were used up.
    case expired
    /// The server refuses to say, with this status.
    case refused(status: Int)
  }
}

/// Where an operation stands.
///
/// Four of the states are those of *Reasons to love functional programming*, whose names for them stand beside them.
public enum TakingPhase: Hashable, Sendable {
  /// Nothing has been done.
  case ready

  /// PUTs are sent until the server takes one up (`putRequestNotAcknowledgedYet`).
  case putNotAcknowledged

  /// The server has taken it up, and a push is awaited (`putRequestAcknowledgedGetNotStarted`).
  case acknowledgedGetNotStarted

  /// The server is asked again and again (`runningGetRequests`).
  case runningGets

  /// The order is ours, and its details are asked for.
  case fetchingDetails

  /// It is over (`result`), also in ways that are not known there.
  case ended(TakingOutcome)
}

/// What an operation waits for.
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
