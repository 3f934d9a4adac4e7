/// The phase of an operation, with its data.
///
/// Four phases are states of *Reasons to love functional programming*; their names there are in parentheses.
///
/// ```text
/// ready → putting → acknowledged → polling → fetchingDetails → ending → ended
///            │                        ↑             ↑              ↑
///            ├──── in doubt: GET ─────┘             │              │
///            ├──── accepted ────────────────────────┘              │
///            └──── declined, refused, cancelled, too late ─────────┘
/// ```
///
/// An acceptance or an end can also come in `acknowledged` and in `polling`.
public enum TakingPhase: Hashable, Sendable {
  case ready

  /// PUTs are sent until the server acknowledges one (`putRequestNotAcknowledgedYet`).
  ///
  /// `mayHaveArrived` is whether a PUT before the current one may have reached the server.
  case putting(mayHaveArrived: Bool)

  /// The server has acknowledged a PUT, and a push is awaited (`putRequestAcknowledgedGetNotStarted`).
  case acknowledged

  /// GETs are sent until the result is known (`runningGetRequests`).
  ///
  /// `ifNotTaken` is the outcome if the server has recorded no PUT; `nil` if a PUT may still arrive and be accepted.
  case polling(ifNotTaken: TakingOutcome?)

  case fetchingDetails

  case ending(TakingOutcome)

  /// It has ended (`result`).
  case ended(TakingOutcome)
}

public struct TakingRequest: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case put = "PUT /orders/:id/taking"
    case get = "GET /orders/:id/taking"
    case details = "GET /orders/:id"
    /// A fresh token, after a 401.
    case token
  }

  public let kind: Kind

  /// The number of the request or pause, unique in the operation.
  public let number: UInt32

  public init(kind: Kind, number: UInt32) {
    self.kind = kind
    self.number = number
  }
}

public enum TakingTimer: Hashable, Sendable {
  case pause(number: UInt32)
  case request(number: UInt32)
  case deadline
}

public enum TakingEvent: Hashable, Sendable {
  case begin

  case resume(TakingRecord, TakingPurpose)

  case persisted(TakingCheckpoint)

  /// The journal has not confirmed a write, and may contain it with the kind ``JournalError/Kind/unknownOutcome``.
  case notPersisted(TakingCheckpoint, JournalError)

  /// The record was read again after a write of this checkpoint with an unknown outcome.
  ///
  /// `isCurrent` is whether the journal contains the record of that write.
  case recordRead(TakingCheckpoint, isCurrent: Bool)

  case answered(TakingRequest, Result<TakingAnswer, HTTPError>)

  /// The details or the token have arrived.
  case arrived(TakingRequest)

  /// A result was pushed for this order.
  case pushed(PushedResult)

  case timerFired(TakingTimer)

  case cancel

  /// This process gives the operation up without an outcome, and another one continues from the record.
  case released
}

public enum TakingPurpose: Hashable, Sendable {
  /// A caller takes the order again, so PUTs may be sent.
  case take
  /// A caller asks for the result, so only GETs are sent.
  case reconcile
  /// An earlier process has left the operation. A recorded outcome is delivered, and an order above the age limit is not put again.
  case recover
}

public enum TakingAnswer: Hashable, Sendable, Codable {
  case accepted
  case processing
  case declined(String)
}

public enum TakingResult: Hashable, Sendable {
  case accepted
  case declined(String)
}

public enum TakingSource: Hashable, Sendable {
  case put
  case get
  case push
  case journal
}

/// An action that an operation requests, whose result returns as an event.
public enum TakingEffect: Hashable, Sendable {
  /// Write a checkpoint to the journal; with ``TakingCheckpoint/begun``, also the time of the PUT that follows.
  case persist(TakingCheckpoint)

  /// Read the record, and return ``TakingEvent/recordRead(_:isCurrent:)``.
  case readRecord

  case send(TakingRequest)

  /// Cancel a request whose response is no longer needed.
  case abandon(TakingRequest)

  case startTimer(TakingTimer, after: Duration)

  case stopTimer(TakingTimer)

  case report(TakingNotice)

  /// Deliver the outcome to the caller.
  case finish(TakingOutcome)
}

/// A message for logs.
public enum TakingNotice: Hashable, Sendable {
  /// The server acknowledged the PUT. No more PUTs are sent.
  case acknowledged
  case won(TakingResult, by: TakingSource)
  /// A second result that contradicts the first one, which counts.
  case contradiction(TakingResult, by: TakingSource, with: TakingResult, from: TakingSource)
  /// A result after an operation had ended without one.
  case late(TakingResult, from: TakingSource)
  /// A decline that an earlier PUT of this operation may have caused. A GET follows.
  case doubtful(reason: String)
  /// A push for another intent was ignored.
  case foreignPush
  case failed(TakingRequest, HTTPError)
  /// The pause before the next attempt, after a failure.
  case retrying(after: Duration)
  case notPersisted(TakingCheckpoint, JournalError)
}
