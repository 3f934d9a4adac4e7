public import OrderTaking

/// A push channel on which a test sends.
///
/// Source: *Reasons to love functional programming*, `TCPClientMock`.
public final class PushClientMock<OrderID: Hashable & Sendable>: Sendable {
  private struct Subscribers {
    var next = 0
    var receive: [Int: @Sendable (PushedResult<OrderID>) -> Void] = [:]
  }

  private let subscribers = Locked(Subscribers())

  /// Creates a channel to which nobody has subscribed.
  public init() {}

  /// The channel to hand to a taker.
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

  /// How many listen.
  public var subscriberCount: Int { subscribers.withLock { $0.receive.count } }

  /// Pushes a result to all who listen, on the calling thread, before it returns.
  ///
  /// - Parameters:
  ///   - result: How the server has decided.
  ///   - order: The order that it is about.
  ///   - key: The key of the intent that it is about; `nil` for a channel that does not name it.
  ///   - cursor: Its place among all pushes; `nil` for a channel that does not count them.
  public func send(
    _ result: TakingResult, for order: OrderID, key: IdempotencyKey? = nil, cursor: UInt64? = nil
  ) {
    let receivers = subscribers.withLock { Array($0.receive.values) }
    for receive in receivers { receive(PushedResult(order: order, key: key, result: result, cursor: cursor)) }
  }
}
