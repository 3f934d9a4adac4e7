/// What can happen to an operation.
public enum TakingEvent<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// Somebody wants the order.
  case begin

  /// The process was restarted, or somebody wants to know how an operation ended that ended as unknown.
  ///
  /// `last` is what the journal says. With `isExpired` the wish is too old to be put again: the server is only asked. With
  /// `isLongPast`, which counts beside `isExpired` alone, no PUT of it can be on its way any more: then the server's word
  /// that it has taken up nothing is the end.
  case resume(last: TakingChange, isExpired: Bool, isLongPast: Bool = false)

  /// An earlier process has recorded how it ended, and may have died before it told anybody.
  ///
  /// It ends as it was recorded, and nothing is asked; only an acceptance gets its details again.
  case announce(TakingOutcome)

  /// A PUT or GET was answered, or failed.
  case answered(TakingRequest, Result<TakingAnswer, HTTPError>)

  /// The request for details was answered, or failed.
  case detailsAnswered(TakingRequest, Result<Details, HTTPError>)

  /// A result arrived as a push.
  ///
  /// `key` says which intent it is about, when the channel tells: a push that was long on its way may be about an
  /// earlier one. `cursor` is its place among all pushes, when the channel counts them.
  case pushed(order: OrderID, key: IdempotencyKey?, TakingResult, cursor: UInt64?)

  /// The time of a timer is up.
  case timerFired(TakingTimer)

  /// The token that was asked for is there, or is not to be had.
  case tokenRefreshed(number: UInt32, succeeded: Bool)

  /// A change could not be written to the journal.
  case recordingFailed(TakingChange)

  /// Nobody wants the order any more.
  case cancel
}

/// What a server can answer to a PUT or a GET.
public enum TakingAnswer: Hashable, Sendable {
  /// The order is ours.
  case accepted
  /// The server has taken up the request and does not know the result yet.
  case processing
  /// The order is not ours, for a reason.
  case declined(String)
}

/// How the server decided.
public enum TakingResult: Hashable, Sendable {
  /// The order is ours.
  case accepted
  /// The order is not ours, for a reason.
  case declined(String)
}

/// Where a result came from.
public enum TakingSource: Hashable, Sendable {
  /// The answer to a PUT.
  case put
  /// The answer to a GET.
  case get
  /// A push.
  case push
  /// The journal of an earlier process.
  case journal
}

/// One request of an operation.
public struct TakingRequest: Hashable, Sendable {
  /// What is asked.
  public enum Kind: Hashable, Sendable {
    /// Take the order.
    case put
    /// Has it been taken?
    case get
    /// What is in it?
    case details
  }

  /// What is asked.
  public let kind: Kind

  /// Which request or pause of the operation it is; numbers are not used twice.
  public let number: UInt32

  /// Creates a request.
  public init(kind: Kind, number: UInt32) {
    self.kind = kind
    self.number = number
  }
}

/// A timer of an operation.
public enum TakingTimer: Hashable, Sendable {
  /// Ends a pause between two requests.
  case pause(number: UInt32)
  /// Ends a request that takes too long.
  case request(number: UInt32)
  /// Ends the operation.
  case budget
}
