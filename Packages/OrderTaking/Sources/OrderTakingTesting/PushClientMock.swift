public import OrderTaking

/// A push channel for which a test sends the messages.
///
/// Source: *Reasons to love functional programming*, `TCPClientMock`.
public final class PushClientMock: Sendable {
  private let subscribers = Subscribers<PushedResult>()

  public init() {}

  public var client: PushClient { PushClient { self.subscribers.add($0) } }

  public var subscriberCount: Int { subscribers.count }

  /// Pushes a result to all subscribers, on the calling thread, before it returns.
  public func send(_ result: TakingResult, for order: OrderID, key: IdempotencyKey? = nil) {
    subscribers.send(PushedResult(order: order, key: key, result: result))
  }
}
