public import FuturesNetworking
public import OrderTaking

extension PushClient {
  /// Returns a client of a push channel over TCP or TLS.
  ///
  /// <doc:Protocol> describes the channel.
  ///
  /// Each subscription opens its own connection, which it keeps until it ends. After a lost connection it waits with
  /// full jitter and reconnects with the cursor of the last push, so that the missed pushes arrive. If a later push or
  /// a heartbeat shows that a push is missing, the client requests it again. It delivers a repeated push once. It
  /// closes a connection on which no data arrives.
  ///
  /// ```swift
  /// let address = StreamAddress(host: "push.example", port: 7_001)
  /// let push = PushClient<String>.live(at: address, over: .curl(), token: tokens)
  /// let taker = OrderTaker(httpClient: http, pushClient: push, journal: .inMemory())
  /// ```
  ///
  /// **Threads.** Pushes are delivered one at a time, on the queue of the subscription. A delivery that is already
  /// queued can still arrive after its end. `log` is called on the same queue.
  ///
  /// **Tokens.** If the server refuses a token, a fresh one is requested. If the server refuses that token too, or no
  /// token arrives, the client backs off before the next request. Without TLS, the token and the pushes are sent in
  /// plain text.
  ///
  /// Each subscription continues from `checkpoint`, that of the last stored push.
  public static func live(
    at address: StreamAddress, over client: StreamClient, token: TokenSource? = nil,
    from checkpoint: PushCheckpoint? = nil, configuration: PushConfiguration = PushConfiguration(),
    timers: Timers = .dispatch(), log: (@Sendable (PushNotice) -> Void)? = nil,
    observer: Observer? = nil,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) -> PushClient where OrderID: LosslessStringConvertible {
    let report: @Sendable (PushNotice) -> Void = { notice in
      log?(notice)
      switch notice {
      case .subscribed: observer?.connectionChanged(ObservedConnection(side: .client, .opened))
      case .refused:
        observer?.connectionChanged(
          ObservedConnection(side: .client, .lost(reason: "the server refused the token")))
      case .lost(let reason, _):
        observer?.connectionChanged(ObservedConnection(side: .client, .lost(reason: reason)))
      default: break
      }
    }
    return PushClient { receive in
      let channel = PushChannel(
        address: address, over: client, token: token, configuration: configuration, checkpoint: checkpoint,
        timers: timers, random: random, log: report
      ) { push, checkpoint in
        guard let order = OrderID(push.order) else {
          log?(.ignored("a push for order \"\(push.order.prefix(40))\": this name cannot be decoded"))
          return
        }
        receive(
          PushedResult(
            order: order, key: push.key, result: push.result, cursor: push.cursor, checkpoint: checkpoint))
      }
      channel.start()
      return { channel.stop() }
    }
  }
}

public struct PushConfiguration: Hashable, Sendable {
  public var heartbeat: Duration = .seconds(15)
  /// The maximum time without data from the server.
  ///
  /// It must be longer than the time between the server's heartbeats.
  public var silenceTimeout: Duration = .seconds(40)
  /// The maximum time to connect and to receive the server's welcome, and the maximum time to get a fresh token.
  public var connectTimeout: Duration = .seconds(10)
  /// The wait before the next connection.
  ///
  /// A connection that lasts for one ``heartbeat`` resets the number of failures.
  public var reconnect: Backoff = .exponential(from: .milliseconds(250), atMost: .seconds(30))
  /// The maximum number of bytes in a line.
  ///
  /// A longer line closes the connection.
  public var lineBytes = 64 << 10

  public init() {}
}

/// An event of a push channel, for logs.
///
/// It contains no token.
public enum PushNotice: Hashable, Sendable {
  case connecting
  /// The server sent its welcome. Pushes after this cursor follow.
  case subscribed(after: UInt64)
  case received(cursor: UInt64)
  /// A push was dropped, because it had been delivered before.
  case repeated(cursor: UInt64)
  /// Pushes after this cursor are missing and were requested.
  case missing(after: UInt64)
  case ignored(String)
  /// The server refused the token, and a fresh one was requested.
  case refused
  /// The connection was lost or not made, for a reason. The next attempt follows after the time.
  case lost(String, retryingAfter: Duration)
}
