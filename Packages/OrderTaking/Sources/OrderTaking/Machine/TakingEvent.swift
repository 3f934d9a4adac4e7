/// An event for an operation.
public enum TakingEvent<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// The operation begins.
  case begin

  /// The operation continues after a restart or after an unknown outcome.
  ///
  /// `last` is the last step in the journal. With `isExpired`, the order is too old for another PUT, and only GETs are sent. With
  /// `isLongPast`, which requires `isExpired`, no earlier PUT can still arrive. Then the operation ends if the server answers that
  /// it has processed no PUT.
  case resume(last: TakingChange, isExpired: Bool, isLongPast: Bool = false)

  /// The journal contains an outcome that an earlier process may not have delivered.
  ///
  /// The operation ends with it, without a request. Only an accepted order gets its details again.
  case announce(TakingOutcome)

  /// A PUT or GET has a response, or failed.
  case answered(TakingRequest, Result<TakingAnswer, HTTPError>)

  /// The request for details has a response, or failed.
  case detailsAnswered(TakingRequest, Result<Details, HTTPError>)

  /// A result was pushed.
  ///
  /// `key` identifies the intent, if the channel sends it: a delayed push can belong to an earlier intent. `cursor` is the position
  /// among all pushes, if the channel counts them.
  case pushed(order: OrderID, key: IdempotencyKey?, TakingResult, cursor: UInt64?)

  /// A timer has fired.
  case timerFired(TakingTimer)

  /// The refresh of the token has ended.
  case tokenRefreshed(number: UInt32, succeeded: Bool)

  /// A change could not be written to the journal.
  case recordingFailed(TakingChange)

  /// The caller cancelled the operation.
  case cancel
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

/// One request of an operation.
public struct TakingRequest: Hashable, Sendable {
  /// The kinds of requests.
  public enum Kind: Hashable, Sendable {
    /// Take the order.
    case put
    /// Get the result.
    case get
    /// Get the details.
    case details
  }

  /// The kind of request.
  public let kind: Kind

  /// The number of the request or pause, unique in the operation.
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
