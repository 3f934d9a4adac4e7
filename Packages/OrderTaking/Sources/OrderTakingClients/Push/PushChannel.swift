internal import Dispatch
internal import Futures
internal import FuturesNetworking
internal import OrderTaking

/// `@unchecked Sendable`: all variables are used only on `queue`.
final class PushChannel: @unchecked Sendable {
  private let queue = DispatchQueue(label: "OrderTaking.PushChannel")
  private let address: StreamAddress
  private let client: StreamClient
  private let token: TokenSource?
  private let clock: Timers
  private let log: (@Sendable (PushNotice) -> Void)?
  private let deliver: @Sendable (WirePush, PushCheckpoint?) -> Void

  private var conversation: PushConversation
  private var connection: StreamConnection?
  private var refresh: Future<Void, HTTPError>?
  private var tokenUsed: String?
  private var timers: [PushConversation.Timer: (number: Int, cancel: @Sendable () -> Void)] = [:]
  private var timersStarted = 0
  /// A late event of an earlier attempt is ignored.
  private var attempt = 0
  private var events: [PushConversation.Event] = []
  private var isAtWork = false

  init(
    address: StreamAddress, over client: StreamClient, token: TokenSource?, configuration: PushConfiguration,
    checkpoint: PushCheckpoint?, timers: Timers, random: @escaping @Sendable () -> UInt64,
    log: (@Sendable (PushNotice) -> Void)?, deliver: @escaping @Sendable (WirePush, PushCheckpoint?) -> Void
  ) {
    self.address = address
    self.client = client
    self.token = token
    self.clock = timers
    self.log = log
    self.deliver = deliver
    conversation = PushConversation(configuration, from: checkpoint, random: random)
  }

  func start() { queue.async { self.handle(.start) } }

  func stop() { queue.async { self.handle(.stop) } }

  private func handle(_ event: PushConversation.Event) {
    events.append(event)
    guard !isAtWork else { return }
    isAtWork = true
    while !events.isEmpty {
      for effect in conversation.handle(events.removeFirst()) { perform(effect) }
    }
    isAtWork = false
  }

  private func perform(_ effect: PushConversation.Effect) {
    switch effect {
    case .connect: connect()
    case .send(let message): connection?.send(message.line)
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
    case .deliver(let push, let checkpoint): deliver(push, checkpoint)
    case .report(let notice): log?(notice)
    }
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
    case .ended(let error): handle(.ended(error.reason ?? error.description))
    }
  }
}
