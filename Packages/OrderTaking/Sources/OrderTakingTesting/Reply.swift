public import OrderTaking

/// The response of a scripted server to one request.
///
/// Source: *Reasons to love functional programming*, `EtherTakingResult` and `AcceptedOrderDetailsResult`.
public struct Reply<Value: Sendable>: Sendable {
  let result: Result<Value, HTTPError>?
  let delay: Duration?

  private init(_ result: Result<Value, HTTPError>?, after delay: Duration? = nil) {
    (self.result, self.delay) = (result, delay)
  }

  public static var none: Self { Self(nil) }
  public static func error(_ error: HTTPError) -> Self { Self(.failure(error)) }
  public static func longError(_ error: HTTPError, _ delay: Duration) -> Self { Self(.failure(error), after: delay) }
  /// Any response, after a time.
  public static func long(_ value: Value, _ delay: Duration) -> Self { Self(.success(value), after: delay) }
  public static func details(_ details: Value) -> Self { Self(.success(details)) }
  public static func longDetails(_ details: Value, _ delay: Duration) -> Self { Self(.success(details), after: delay) }
}

extension Reply<TakingAnswer> {
  public static var accepted: Self { Self(.success(.accepted)) }
  public static var processing: Self { Self(.success(.processing)) }
  /// Still processing, after a time.
  public static func longProcessing(_ delay: Duration) -> Self { Self(.success(.processing), after: delay) }
  public static func declined(_ reason: String) -> Self { Self(.success(.declined(reason))) }
}

/// The response to one PUT or GET.
public typealias TakingReply = Reply<TakingAnswer>

/// The response to one request for details.
public typealias DetailsReply<Details: Sendable> = Reply<Details>
