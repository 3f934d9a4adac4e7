/// Use it on the loop's thread only.
final class HTTPService {
  let router: Router
  let limits: LoopbackLimits
  var requestsInFlight = 0

  init(_ router: Router, _ limits: LoopbackLimits) {
    self.router = router
    self.limits = limits
  }

  static func overloaded(_ subject: String, _ limit: Int, _ unit: String) -> HTTPResponse {
    let text = "Cannot accept the \(subject): the limit of \(limit) \(unit) is reached. Retry in 1 second.\n"
    var response = HTTPResponse.text(text, status: 503)
    response.headers["Retry-After"] = "1"
    return response
  }

  /// A few connections above the limit get a response.
  ///
  /// Further ones close at once.
  func connection(_ core: ServerCore<HTTPConnection>, _ channel: Channel, _ id: Int) -> HTTPConnection? {
    guard core.surplus < 64 else {
      channel.close()
      return nil
    }
    let refusal = core.surplus < 0 ? nil : Self.overloaded("connection", limits.connections, "connections")
    return HTTPConnection(id, channel, self, core, refusal: refusal)
  }
}

/// Use it on the loop's thread only.
final class HTTPConnection: ServedConnection {
  private let id: Int
  private let channel: Channel
  private let clientName: String?
  private let service: HTTPService
  private unowned let core: ServerCore<HTTPConnection>
  private var conversation: HTTPConversation
  private var timedWait = 0
  private var wait = 0

  private var events: [HTTPConversation.Event] = []
  private var isRunning = false
  private var isClosed = false
  /// Whether the client has closed its sending side, and the conversation has not handled that yet.
  private var owesEnd = false

  private var handler: Task<Void, Never>?
  private var exchange = 0
  private var holdsSlot = false

  init(
    _ id: Int, _ channel: Channel, _ service: HTTPService, _ core: ServerCore<HTTPConnection>, refusal: HTTPResponse?
  ) {
    self.id = id
    self.channel = channel
    clientName = channel.clientName
    self.service = service
    self.core = core
    conversation = HTTPConversation(limits: service.limits)
    channel.limitStalls(to: service.limits.idleTimeout)
    channel.onEvent = { [unowned self] in happened($0) }
    if let refusal { for effect in conversation.refuse(with: refusal) { run(effect) } }
    applyDeadline()
  }

  var waitingSince: Int? { conversation.wantsInput ? wait : nil }

  func evict() { feed(.evicted) }

  func stop() { feed(.stopping) }

  func abort() { feed(.failed) }

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
    case .secured: break
    // The rate is limited only while a response is being sent.
    case .stalled: if conversation.isFlushing { feed(.failed) }
    case .timeUp: feed(.deadlinePassed)
    }
  }

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
    if !conversation.isInFlight { releaseSlot() }
    applyDeadline()
  }

  private func run(_ effect: HTTPConversation.Effect) {
    switch effect {
    case .write(let bytes): channel.write(bytes)
    case .handle(let request): handle(request)
    case .cancelHandler: handler?.cancel()
    case .endOutput: channel.endOutput()
    case .close: leave { $0.close() }
    case .reset: leave { $0.reset() }
    }
  }

  private func handle(_ request: HTTPRequest) {
    releaseSlot()
    let limit = service.limits.requestsInFlight
    guard service.requestsInFlight < limit else {
      events.append(.replied(.response(HTTPService.overloaded("request", limit, "requests in flight"))))
      return
    }
    holdsSlot = true
    service.requestsInFlight += 1
    exchange += 1
    var request = request
    request.clientName = clientName
    request.clientAddress = channel.clientAddress
    let (resolved, route) = service.router.resolve(request)
    switch route {
    case .immediate(let reply): events.append(.replied(reply(resolved)))
    case .asynchronous(let reply):
      handler = Task { [id, exchange, handle = core.handle] in
        let reply = await reply(resolved)
        handle.post { $0.connections[id]?.replied(reply, exchange: exchange) }
      }
    }
  }

  /// A late reply to an earlier request is dropped.
  private func replied(_ reply: HTTPReply, exchange: Int) {
    if exchange == self.exchange { feed(.replied(reply)) }
  }

  private func releaseSlot() {
    guard holdsSlot else { return }
    holdsSlot = false
    service.requestsInFlight -= 1
  }

  private func applyDeadline() {
    guard !isClosed, conversation.waits != timedWait else { return }
    timedWait = conversation.waits
    wait = core.nextWait()
    channel.setTimer(conversation.deadline)
  }

  private func leave(_ end: (Channel) -> Void) {
    isClosed = true
    handler?.cancel()
    releaseSlot()
    end(channel)
    core.remove(id)
  }
}
