/// Moves bytes and answers between a channel and its conversation.
///
/// On the loop's thread only.
final class HTTPConnection: ServedConnection {
  private let id: Int
  private let core: HTTPServerCore
  private let channel: Channel
  private var conversation: HTTPConversation
  private var setDeadline: HTTPConversation.Deadline?

  /// Events wait here while effects run, since an effect may cause an event.
  private var events: [HTTPConversation.Event] = []
  private var isRunning = false
  private var isClosed = false
  /// The client has ended its side, and the conversation was not told yet.
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

  /// Brings the answer of a handler; one that comes too late is for another exchange, and dropped.
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
    // Without an answer on its way there is nothing that the client could take too slowly.
    case .stalled: if conversation.isFlushing { feed(.failed) }
    case .timeUp: feed(.deadlinePassed)
    }
  }

  /// Takes what has come for as long as the conversation wants it.
  private func pump() {
    while !isClosed, conversation.wantsInput, channel.hasInput { feed(.received(channel.read())) }
    // What came before the end is answered before the end; but a handler whose client has left learns it now.
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
