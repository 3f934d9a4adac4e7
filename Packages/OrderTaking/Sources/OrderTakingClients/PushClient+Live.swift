public import OrderTaking

extension PushClient {
  /// A client of a push channel over TCP, as <doc:Protocol> has it.
  ///
  /// It connects when somebody subscribes, stays connected until that one ends the subscription, and comes back whenever the
  /// connection is lost: after a back-off with full jitter, and with the place of the last push, so that what was pushed in
  /// the meantime arrives then. A push that was lost on the way is asked for again when the next one, or a heartbeat, shows that it is
  /// missing; one that comes twice is handed on once. A connection on which nothing is heard is given up, though the
  /// system still believes in it.
  ///
  /// ```swift
  /// let push = PushClient<String>.live(at: "127.0.0.1", port: 7_001, token: tokens)
  /// let taker = OrderTaker(httpClient: http, pushClient: push, journal: .inMemory())
  /// ```
  ///
  /// **Threads.** Pushes are handed on one at a time, on a queue of the subscription's own. After its end none is begun.
  ///
  /// **No TLS.** The push channel is not encrypted. Use it on a trusted network, or through a tunnel.
  ///
  /// - Parameters:
  ///   - host: The server's name or address.
  ///   - port: The push channel's port, 1 to 65535; with another one every attempt fails.
  ///   - token: The token to subscribe with. When it is refused a fresh one is asked for, once until it is refused again.
  ///   - configuration: How long to wait for what.
  ///   - timers: The clock of all waits.
  ///   - log: Called with what happens on the channel, on the subscription's queue. No token is ever in it.
  ///   - random: 64 random bits for each back-off.
  public static func live(
    at host: String, port: Int, token: TokenSource? = nil, configuration: PushConfiguration = PushConfiguration(),
    timers: Timers = .dispatch(), log: (@Sendable (PushNotice) -> Void)? = nil,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) -> PushClient where OrderID: LosslessStringConvertible {
    PushClient { receive in
      let channel = PushChannel(
        host: host, port: port, token: token, configuration: configuration, timers: timers, random: random, log: log
      ) { push in
        guard let order = OrderID(push.order) else {
          log?(.ignored("a push for order \"\(push.order.prefix(40))\": this name cannot be decoded"))
          return
        }
        receive(PushedResult(order: order, key: push.key, result: push.result, cursor: push.cursor))
      }
      channel.start()
      return { channel.stop() }
    }
  }
}

/// How long a push client waits for what.
public struct PushConfiguration: Hashable, Sendable {
  /// How often it says that it is there.
  public var heartbeat: Duration = .seconds(15)
  /// How long it hears nothing before it gives the connection up; longer than the server's heartbeat.
  public var silenceTimeout: Duration = .seconds(40)
  /// How long connecting may take, and the server's welcome after it.
  public var connectTimeout: Duration = .seconds(10)
  /// How long it waits before it connects again; the count of failures begins anew when a connection has lasted for
  /// a ``heartbeat``.
  public var reconnect: Backoff = .exponential(from: .milliseconds(250), atMost: .seconds(30))
  /// The most bytes of a line; a longer one ends the connection.
  public var lineBytes = 64 << 10

  /// Creates a configuration; everything has a default.
  public init() {}
}

/// What happens on a push channel, for logs: no token is in it.
public enum PushNotice: Hashable, Sendable {
  /// It tries to connect.
  case connecting
  /// The server has welcomed it; pushes after this place will come.
  case subscribed(after: UInt64)
  /// A push was handed on.
  case received(cursor: UInt64)
  /// A push had been handed on before, and was dropped.
  case repeated(cursor: UInt64)
  /// Pushes after this place are missing and were asked for.
  case missing(after: UInt64)
  /// Something was dropped, for a reason.
  case ignored(String)
  /// The token was refused, and a fresh one is asked for.
  case refused
  /// The connection is lost, or was not made, for a reason; the next attempt is made after the time.
  case lost(String, retryingAfter: Duration)
}
