/// An action that an operation requests.
///
/// Perform effects in their order, without waiting for one before the next. Their results return as events.
public enum TakingEffect: Hashable, Sendable {
  /// Write a checkpoint to the journal, and return the result as an event.
  ///
  /// Before ``TakingCheckpoint/begun``, set the time of the last PUT in the record: a PUT follows. The writes of one operation must
  /// take effect in their order.
  case persist(TakingCheckpoint)

  /// Read the record from the journal, and return ``TakingEvent/recordRead(_:isCurrent:)``.
  case readRecord

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

  case startTimer(TakingTimer, after: Duration)

  /// A late event of it is allowed.
  case stopTimer(TakingTimer)

  case report(TakingNotice)

  /// Deliver the outcome to the caller. This effect occurs once.
  case finish(TakingOutcome)
}

/// The last step of an operation in the journal.
public enum TakingCheckpoint: Hashable, Sendable {
  /// A PUT is about to be sent.
  case begun
  case acknowledged
  /// The server has accepted the order; its details are missing.
  case accepted
  case ended(TakingOutcome)

  /// Whether its loss, in a power failure, could make a report false or send a second request under another key.
  ///
  /// A journal syncs such a checkpoint to the disk before it confirms the write. After the loss of any other one, the same key and
  /// the server lead to the same outcome.
  public var mustSurvivePowerFailure: Bool {
    switch self {
    case .begun: true
    case .acknowledged, .accepted, .ended(.accepted): false
    case .ended: true
    }
  }
}

/// A message for logs about something that the requests do not show.
public enum TakingNotice: Hashable, Sendable {
  /// The server acknowledged the PUT. No more PUTs are sent.
  case acknowledged
  case won(TakingResult, by: TakingSource)
  /// A second result that contradicts the first one, which counts.
  case contradiction(TakingResult, by: TakingSource, with: TakingResult, from: TakingSource)
  /// A result that arrived after an operation had ended without one.
  case late(TakingResult, from: TakingSource)
  /// A decline that an earlier PUT of this operation may have caused. A GET follows.
  case doubtful(reason: String)
  /// A push for another intent was ignored.
  case foreignPush
  case failed(TakingRequest, HTTPError)
  case notPersisted(TakingCheckpoint, PersistenceFailure)
}
