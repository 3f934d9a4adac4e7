public import OrderTaking

/// A push channel for which a test sends the messages.
///
/// Source: *Reasons to love functional programming*, `TCPClientMock`.
public final class PushClientMock: Sendable {
  /// The receivers in the order of their subscriptions; `nil` after the end of one.
  private let subscribers = Locked<[(@Sendable (PushedResult) -> Void)?]>([])

  public init() {}

  public var client: PushClient {
    PushClient { receive in
      let ticket = self.subscribers.withLock { subscribers in
        subscribers.append(receive)
        return subscribers.count - 1
      }
      return { self.subscribers.withLock { $0[ticket] = nil } }
    }
  }

  public var subscriberCount: Int { subscribers.withLock { $0.count { $0 != nil } } }

  /// Pushes a result to all subscribers, on the calling thread, before it returns.
  public func send(_ result: TakingResult, for order: OrderID, key: IdempotencyKey? = nil) {
    let receivers = subscribers.withLock { $0.compactMap(\.self) }
    for receive in receivers { receive(PushedResult(order: order, key: key, result: result)) }
  }
}
