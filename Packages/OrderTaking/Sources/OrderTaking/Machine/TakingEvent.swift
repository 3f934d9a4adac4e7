public enum TakingEvent: Hashable, Sendable {
  case begin

  case resume(TakingHistory, TakingPurpose)

  case persisted(TakingCheckpoint)

  case notPersisted(TakingCheckpoint, PersistenceFailure)

  /// The record was read again after a write with an unknown outcome.
  ///
  /// The checkpoint is that of the write: it distinguishes this read from an earlier one with a late result. `isCurrent` is
  /// whether the journal contains the record of that write.
  case recordRead(TakingCheckpoint, isCurrent: Bool)

  case answered(TakingRequest, Result<TakingAnswer, HTTPError>)

  case detailsArrived(TakingRequest)

  /// A result was pushed for this order.
  ///
  /// `key` identifies the intent, if the channel sends it: a delayed push can belong to an earlier intent. `cursor` is the position
  /// among all pushes to the driver, if the channel counts them.
  case pushed(TakingResult, key: IdempotencyKey?, cursor: UInt64?)

  case timerFired(TakingTimer)

  /// The refresh of the token has ended, with an error if there is no fresh token.
  case tokenRefreshed(number: UInt32, failure: HTTPError?)

  case cancel
}

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
  public var checkpoint: TakingCheckpoint
  public var begunAt: Duration
  public var lastPutAt: Moment?

  public init(_ checkpoint: TakingCheckpoint, begunAt: Duration, lastPutAt: Moment?) {
    self.checkpoint = checkpoint
    self.begunAt = begunAt
    self.lastPutAt = lastPutAt
  }
}

/// The result of a write that the journal has not confirmed.
public enum PersistenceFailure: Hashable, Sendable {
  case failed
  /// The checkpoint may be in the journal, now or after a later recovery.
  case unknown
  /// Another process has taken over the operation.
  case fenced
}

public enum TakingAnswer: Hashable, Sendable {
  case accepted
  /// The server is processing the request and has no result yet.
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
  /// The journal of an earlier process.
  case journal
}
