internal import Dispatch
internal import Foundation
internal import Futures
public import FuturesNetworking
public import OrderTaking

extension PushClient {
  /// Returns a client of the push channel in <doc:Protocol>, over TCP or TLS.
  ///
  /// Each subscription opens its own connection. After a lost connection it reconnects after a back-off, and receives the missed pushes.
  /// It delivers a repeated push once.
  ///
  /// ```swift
  /// let push = PushClient.live(host: "push.example", port: 7_001, over: .curl(), token: tokens)
  /// let local = PushClient.live(
  ///   host: "127.0.0.1", port: server.pushPort, security: .plaintext, over: .curl(), token: tokens)
  /// ```
  ///
  /// **Failures.** The observer receives each opened and each lost connection, with the reason. Without an observer, the first loss
  /// with each reason is written to standard error.
  ///
  /// **Threads.** Pushes are delivered one at a time, on the queue of the subscription, which also calls the observer. A delivery that is
  /// already queued can still arrive after the end of the subscription.
  ///
  /// **Tokens.** If the server refuses a token, a fresh one is requested. If it refuses that token too, the client backs off.
  public static func live(
    host: String, port: Int, security: PushSecurity = .tls, over client: StreamClient, token: TokenSource? = nil,
    configuration: PushConfiguration = PushConfiguration(), timers: Timers = .dispatch(), observer: Observer? = nil,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) -> PushClient {
    PushClient { receive in
      let channel = PushChannel(
        StreamAddress(host: host, port: port, usesTLS: security == .tls), over: client, token: token, timers, observer,
        PushConversation(configuration, random: random), deliver: receive)
      channel.start()
      return { channel.stop() }
    }
  }
}

public enum PushSecurity: Hashable, Sendable {
  case tls
  /// The token and the pushes are sent in plain text, for a server on this machine.
  case plaintext
}

public struct PushConfiguration: Hashable, Sendable {
  public var heartbeat: Duration = .seconds(15)
  /// The maximum time without data from the server, longer than the time between its heartbeats.
  public var silenceTimeout: Duration = .seconds(40)
  /// The maximum time to connect and to receive the server's welcome.
  public var connectTimeout: Duration = .seconds(10)
  /// The wait before the next connection.
  ///
  /// A connection that lasts for one ``heartbeat`` resets the number of failures.
  public var reconnect: Backoff = .exponential(from: .milliseconds(250), atMost: .seconds(30))

  public init() {}
}

/// Runs the effects of a conversation.
///
/// `@unchecked Sendable`: all variables are used only on `queue`.
private final class PushChannel: @unchecked Sendable {
  private let queue = DispatchQueue(label: "OrderTaking.PushChannel")
  private let address: StreamAddress
  private let client: StreamClient
  private let token: TokenSource?
  private let clock: Timers
  private let observer: Observer?
  private let deliver: @Sendable (PushedResult) -> Void

  private var conversation: PushConversation
  private var connection: StreamConnection?
  private var refresh: Future<Void, HTTPError>?
  private var tokenUsed: String?
  private var timers: [PushConversation.Timer: (number: Int, cancel: @Sendable () -> Void)] = [:]
  private var timersStarted = 0
  /// A late event of an earlier attempt is ignored.
  private var attempt = 0
  private var writtenReasons: Set<String> = []

  init(
    _ address: StreamAddress, over client: StreamClient, token: TokenSource?, _ clock: Timers, _ observer: Observer?,
    _ conversation: PushConversation, deliver: @escaping @Sendable (PushedResult) -> Void
  ) {
    (self.address, self.client, self.token, self.clock) = (address, client, token, clock)
    (self.observer, self.conversation, self.deliver) = (observer, conversation, deliver)
  }

  func start() { queue.async { self.handle(.start) } }

  func stop() { queue.async { self.handle(.stop) } }

  private func handle(_ event: PushConversation.Event) {
    for effect in conversation.handle(event) { perform(effect) }
  }

  private func perform(_ effect: PushConversation.Effect) {
    switch effect {
    case .connect: connect()
    case .send(let line): connection?.send(Array((line.text + "\n").utf8))
    case .disconnect:
      attempt += 1
      connection?.close()
      connection = nil
      refresh?.cancel()
      refresh = nil
    case .start(let timer, let duration): start(timer, duration)
    case .stop(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .refreshToken:
      let attempt = attempt
      let refresh = token?.renew(insteadOf: tokenUsed) ?? Future(error: .status(401))
      self.refresh = refresh
      refresh.onComplete(immediateExecutionContext) { result in
        self.queue.async { if self.attempt == attempt { self.handle(.tokenRefreshed(result.error == nil)) } }
      }
    case .deliver(let push): deliver(push)
    case .opened: observer?.receive(.connection(ObservedConnection(side: .client, .opened)))
    case .lost(let reason): reportLoss(reason)
    }
  }

  private func reportLoss(_ reason: String) {
    if let observer { return observer.receive(.connection(ObservedConnection(side: .client, .lost(reason: reason)))) }
    guard writtenReasons.count < 100, writtenReasons.insert(reason).inserted else { return }
    let line = "The push channel \(address.host):\(address.port) is not connected: \(reason)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  private func start(_ timer: PushConversation.Timer, _ duration: Duration) {
    timers.removeValue(forKey: timer)?.cancel()
    timersStarted += 1
    let number = timersStarted
    let cancel = clock.schedule(duration) {
      self.queue.async {
        guard self.timers[timer]?.number == number else { return }
        self.timers[timer] = nil
        self.handle(.fired(timer))
      }
    }
    timers[timer] = (number, cancel)
  }

  private func connect() {
    attempt += 1
    let attempt = attempt
    connection = client.open(address) { event in
      self.queue.async { if self.attempt == attempt { self.receive(event) } }
    }
  }

  private func receive(_ event: StreamClient.Event) {
    switch event {
    case .connected:
      tokenUsed = token?.current
      handle(.connected(token: tokenUsed))
    case .received(let bytes): handle(.received(bytes))
    case .ended(let error): handle(.ended(explanation(of: error)))
    }
  }

  /// A server with TLS closes a connection in plain text, and a server without TLS does not complete the handshake.
  private func explanation(of error: NetworkError) -> String {
    let reason = error.reason ?? error.description
    if error.kind == .secureConnectionFailed {
      return "no TLS connection: \(reason). Check the certificates, or use security: .plaintext if the port has no TLS"
    }
    guard !address.usesTLS, conversation.phase == .subscribing else { return reason }
    return "\(reason), before the server's welcome. Use security: .tls if the port has TLS"
  }
}
