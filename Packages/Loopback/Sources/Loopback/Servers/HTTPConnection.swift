/// Passes bytes and replies between a channel and its conversation.
///
/// On the loop's thread only.
final class HTTPConnection: ServedConnection {
  private let id: Int
  private let core: HTTPServerCore
  private let channel: Channel
  private var conversation: HTTPConversation
  private var setDeadline: HTTPConversation.Deadline?

  /// The events that arrived while effects were performed.
  private var events: [HTTPConversation.Event] = []
  private var isRunning = false
  private var isClosed = false
  /// Whether the client has closed its sending side, and the conversation has not handled that yet.
  private var owesEnd = false

  private var handler: Task<Void, Never>?
  private var exchange = 0
  private var holdsSlot = false

  init(_ id: Int, _ channel: Channel, core: HTTPServerCore, refusal: HTTPResponse?) {
    self.id = id
    self.core = core
    self.channel = channel
    var effects: [HTTPConversation.Effect] = []
    if let refusal {
      (conversation, effects) = HTTPConversation.refusing(with: refusal, limits: core.limits)
    } else {
      conversation = HTTPConversation(limits: core.limits)
    }
    channel.onEvent = { [unowned self] in happened($0) }
    for effect in effects { run(effect) }
    applyDeadline()
  }

  func stop() { feed(.stopping) }

  func abort() { feed(.failed) }

  /// Handles the reply of a handler.
  ///
  /// A late reply to an earlier request is dropped.
  func replied(_ reply: HTTPReply, exchange: Int) {
    guard exchange == self.exchange, handler != nil else { return }
    handler = nil
    feed(.replied(reply))
  }

  private func happened(_ event: Channel.Event) {
    switch event {
    case .readable: pump()
    case .drained:
      feed(.drained)
      pump()
    case .inputEnded:
      owesEnd = true
      pump()
    case .failed: feed(.failed)
    // The rate is limited only while a response is being sent.
    case .stalled: if conversation.isFlushing { feed(.failed) }
    case .timeUp: feed(.deadlinePassed)
    }
  }

  /// Reads the received bytes while the conversation wants input.
  private func pump() {
    while !isClosed, conversation.wantsInput, channel.hasInput { feed(.received(channel.read())) }
    // Requests before the end are handled first, but the current handler is notified of the end at once.
    guard owesEnd, !isClosed, !(channel.hasInput && conversation.isFlushing) else { return }
    owesEnd = false
    feed(.inputEnded)
  }

  private func feed(_ event: HTTPConversation.Event) {
    events.append(event)
    guard !isRunning else { return }
    isRunning = true
    while !events.isEmpty, !isClosed {
      for effect in conversation.handle(events.removeFirst()) { run(effect) }
    }
    isRunning = false
    guard !isClosed else { return }
    if holdsSlot, !conversation.isInFlight { releaseSlot() }
    applyDeadline()
  }

  private func run(_ effect: HTTPConversation.Effect) {
    switch effect {
    case .write(let bytes): channel.write(bytes)
    case .handle(let request): handle(request)
    case .cancelHandler: cancelHandler()
    case .endOutput: channel.endOutput()
    case .close: leave { $0.close() }
    case .reset: leave { $0.reset() }
    }
  }

  private func handle(_ request: HTTPRequest) {
    if holdsSlot { releaseSlot() }
    guard core.takeSlot() else {
      events.append(.replied(.response(core.overloaded)))
      return
    }
    holdsSlot = true
    exchange += 1
    switch core.router.resolve(request) {
    case .reply(let reply): events.append(.replied(reply))
    case .task(let work):
      handler = Task { [id, exchange, handle = core.handle] in
        let reply = await work()
        handle.post { $0.replied(reply, connection: id, exchange: exchange) }
      }
    }
  }

  private func cancelHandler() {
    handler?.cancel()
    handler = nil
  }

  private func releaseSlot() {
    holdsSlot = false
    core.releaseSlot()
  }

  private func applyDeadline() {
    guard !isClosed, conversation.deadline != setDeadline else { return }
    setDeadline = conversation.deadline
    channel.setTimer(setDeadline?.duration)
  }

  private func leave(_ end: (Channel) -> Void) {
    isClosed = true
    cancelHandler()
    if holdsSlot { releaseSlot() }
    end(channel)
    core.removed(id)
  }
}
