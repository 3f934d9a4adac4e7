/// An event for an operation.
public enum TakingEvent: Hashable, Sendable {
  /// The operation begins.
  case begin

  /// The operation continues from its record in the journal.
  case resume(TakingHistory, TakingPurpose)

  /// The journal has stored a checkpoint.
  case persisted(TakingCheckpoint)

  /// The journal has not stored a checkpoint, or its outcome is unknown.
  case notPersisted(TakingCheckpoint, PersistenceFailure)

  /// The record was read again after a write with an unknown outcome.
  ///
  /// The checkpoint is that of the write: it distinguishes this read from an earlier one with a late result. `isCurrent` is
  /// whether the journal contains the record of that write.
  case recordRead(TakingCheckpoint, isCurrent: Bool)

  /// A PUT or GET has a response, or a request failed.
  case answered(TakingRequest, Result<TakingAnswer, HTTPError>)

  /// The details of the order have arrived.
  case detailsArrived(TakingRequest)

  /// A result was pushed for this order.
  ///
  /// `key` identifies the intent, if the channel sends it: a delayed push can belong to an earlier intent. `cursor` is the position
  /// among all pushes to the driver, if the channel counts them.
  case pushed(TakingResult, key: IdempotencyKey?, cursor: UInt64?)

  /// A timer has fired.
  case timerFired(TakingTimer)

  /// The refresh of the token has ended, with an error if there is no fresh token.
  case tokenRefreshed(number: UInt32, failure: HTTPError?)

  /// The caller cancelled the operation.
  case cancel
}

/// The reason why an operation continues from its record.
public enum TakingPurpose: Hashable, Sendable {
  /// A caller takes the order again, so PUTs may be sent.
  case take
  /// A caller asks for the result, so only GETs are sent.
  case reconcile
  /// An earlier process has left the operation, and its record decides.
  ///
  /// A recorded outcome is delivered. An order that is older than `ageLimit` is not put again. `nil` means no limit.
  case recover(ageLimit: Duration?)
}

/// The facts about an operation that its record contains.
public struct TakingHistory: Hashable, Sendable {
  /// The last recorded checkpoint.
  public var checkpoint: TakingCheckpoint
  /// The time of the start, since 1970.
  public var begunAt: Duration
  /// The time of the last PUT, or `nil` if no PUT was recorded.
  public var lastPutAt: Moment?

  /// Creates the facts.
  ///
  /// - Parameters:
  ///   - checkpoint: The last recorded checkpoint.
  ///   - begunAt: The time of the start, since 1970.
  ///   - lastPutAt: The time of the last PUT, or `nil` if no PUT was recorded.
  public init(_ checkpoint: TakingCheckpoint, begunAt: Duration, lastPutAt: Moment?) {
    self.checkpoint = checkpoint
    self.begunAt = begunAt
    self.lastPutAt = lastPutAt
  }
}

/// The result of a write that the journal has not confirmed.
public enum PersistenceFailure: Hashable, Sendable {
  /// The checkpoint is not in the journal.
  case failed
  /// The checkpoint may be in the journal, now or after a later recovery.
  case unknown
  /// Another process has taken over the operation.
  case fenced
}

/// A server's response to a PUT or a GET.
public enum TakingAnswer: Hashable, Sendable {
  /// The server accepted the order.
  case accepted
  /// The server is processing the request and has no result yet.
  case processing
  /// The server declined the order, for a reason.
  case declined(String)
}

/// A server's decision.
public enum TakingResult: Hashable, Sendable {
  /// The server accepted the order.
  case accepted
  /// The server declined the order, for a reason.
  case declined(String)
}

/// The source of a result.
public enum TakingSource: Hashable, Sendable {
  /// The response to a PUT.
  case put
  /// The response to a GET.
  case get
  /// A push.
  case push
  /// The journal of an earlier process.
  case journal
}
