/// What an operation asks of its surroundings.
///
/// Effects are performed in the order given. A ``record(_:)`` is done when the change is safe: what comes after it may
/// rely on it.
public enum TakingEffect: Hashable, Sendable {
  /// Send a request, and report its answer as an event with the same request.
  case send(TakingRequest)

  /// The answer to this request is not wanted any more; it may be ended. One that comes all the same does no harm.
  case abandon(TakingRequest)

  /// Get a fresh token, and report it as an event with the same number.
  case refreshToken(number: UInt32)

  /// The token with this number is no longer awaited.
  ///
  /// Its refresh may be stopped; a late report of it has no effect.
  case abandonToken(number: UInt32)

  /// Report this timer as an event after a time.
  case startTimer(TakingTimer, after: Duration)

  /// Do not report this timer any more; one that fires all the same does no harm.
  case stopTimer(TakingTimer)

  /// Write a change to the journal before anything else is done.
  ///
  /// When that fails, report it. After a failed ``TakingChange/begun`` the effects that follow must not be performed.
  case record(TakingChange)

  /// Tell who is interested.
  case report(TakingNotice)

  /// Tell the caller how it ended; comes once. The operation holds the details, if there are any.
  case finish(TakingOutcome)
}

/// What the journal keeps of an operation: how far it has come.
public enum TakingChange: Hashable, Sendable {
  /// A PUT is about to be sent.
  case begun
  /// The server has taken up the PUT.
  case acknowledged
  /// The order is ours; its details are not there yet.
  case accepted
  /// The operation is over.
  case ended(TakingOutcome)
}

/// What is worth telling and not to be seen from the requests.
public enum TakingNotice: Hashable, Sendable {
  /// The server took up the PUT; no more are sent.
  case acknowledged
  /// The result, and which channel brought it first.
  case won(TakingResult, by: TakingSource)
  /// A second result that contradicts the first, which stands.
  case contradiction(TakingResult, by: TakingSource, with: TakingResult, from: TakingSource)
  /// A result that came after an operation had ended without one.
  case late(TakingResult, from: TakingSource)
  /// A decline that may be the echo of our own earlier PUT; the server is asked instead.
  case doubtful(reason: String)
  /// A push for another order or another intent was ignored.
  case foreignPush
  /// A request failed, and what was made of it.
  case failed(TakingRequest, HTTPError)
  /// The journal refused a change.
  case recordingFailed(TakingChange)
}
