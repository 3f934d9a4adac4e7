public import OrderTaking

/// A push channel for which a test sends the messages.
///
/// Source: *Reasons to love functional programming*, `TCPClientMock`.
public final class PushClientMock<OrderID: Hashable & Sendable>: Sendable {
  private struct Subscribers {
    var next = 0
    var receive: [Int: @Sendable (PushedResult<OrderID>) -> Void] = [:]
  }

  private let subscribers = Locked(Subscribers())

  public init() {}

  public var client: PushClient<OrderID> {
    PushClient { receive in
      let ticket = self.subscribers.withLock { subscribers in
        subscribers.next += 1
        subscribers.receive[subscribers.next] = receive
        return subscribers.next
      }
      return { self.subscribers.withLock { $0.receive[ticket] = nil } }
    }
  }

  public var subscriberCount: Int { subscribers.withLock { $0.receive.count } }

  /// Pushes a result to all subscribers, on the calling thread, before it returns.
  public func send(
    _ result: TakingResult, for order: OrderID, key: IdempotencyKey? = nil, cursor: UInt64? = nil
  ) {
    let receivers = subscribers.withLock { Array($0.receive.values) }
    for receive in receivers { receive(PushedResult(order: order, key: key, result: result, cursor: cursor)) }
  }
}
