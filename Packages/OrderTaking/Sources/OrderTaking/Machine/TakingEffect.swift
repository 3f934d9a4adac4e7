/// An action that an operation requests.
///
/// Perform effects in their order. ``record(_:)`` ends when the change is stored permanently, because later effects depend on it.
public enum TakingEffect: Hashable, Sendable {
  /// Send a request, and return its response as an event with the same request.
  case send(TakingRequest)

  /// The response to this request is no longer needed, so the request can be cancelled. A late response is allowed.
  case abandon(TakingRequest)

  /// Get a fresh token, and return the result as an event with the same number.
  case refreshToken(number: UInt32)

  /// The token with this number is no longer awaited.
  ///
  /// Its refresh may be stopped; a late report of it has no effect.
  case abandonToken(number: UInt32)

  /// Return this timer as an event after a time.
  case startTimer(TakingTimer, after: Duration)

  /// Stop this timer. A late event of it is allowed.
  case stopTimer(TakingTimer)

  /// Write a change to the journal before the next effect.
  ///
  /// If that fails, return the failure as an event. After a failed ``TakingChange/begun``, skip the next effects.
  case record(TakingChange)

  /// Report a notice to logs and streams.
  case report(TakingNotice)

  /// Deliver the outcome to the caller. This effect occurs once. The operation contains the details, if there are any.
  case finish(TakingOutcome)
}

/// The last step of an operation in the journal.
public enum TakingChange: Hashable, Sendable {
  /// A PUT is about to be sent.
  case begun
  /// The server has acknowledged the PUT.
  case acknowledged
  /// The server has accepted the order; its details are missing.
  case accepted
  /// The operation has ended.
  case ended(TakingOutcome)
}

/// A message for logs and streams about something that the requests do not show.
public enum TakingNotice: Hashable, Sendable {
  /// The server acknowledged the PUT. No more PUTs are sent.
  case acknowledged
  /// The result, and the channel on which it arrived first.
  case won(TakingResult, by: TakingSource)
  /// A second result that contradicts the first one, which counts.
  case contradiction(TakingResult, by: TakingSource, with: TakingResult, from: TakingSource)
  /// A result that arrived after an operation had ended without one.
  case late(TakingResult, from: TakingSource)
  /// A decline that an earlier PUT of this operation may have caused. A GET follows.
  case doubtful(reason: String)
  /// A push for another order or another intent was ignored.
  case foreignPush
  /// A request failed.
  case failed(TakingRequest, HTTPError)
  /// The journal could not store a change.
  case recordingFailed(TakingChange)
}
