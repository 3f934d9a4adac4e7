/// Use it on the loop's thread only.
final class LineChannel: ServedConnection {
  private let connection: LineConnection
  private let wait: Int
  private let channel: Channel
  private let handlers: LineHandlers
  private let limits: LoopbackLimits
  private unowned let core: ServerCore<LineChannel>
  private var conversation: LineConversation

  private var events: [LineConversation.Event] = []
  private var isRunning = false
  private var isClosed = false
  private var activity = 0

  init?(
    _ id: Int, _ channel: Channel, _ handlers: LineHandlers, _ limits: LoopbackLimits, _ core: ServerCore<LineChannel>
  ) {
    guard core.surplus < 0 else {
      channel.close()
      return nil
    }
    connection = LineConnection(id: id, channel, server: core.handle)
    wait = core.nextWait()
    self.channel = channel
    self.handlers = handlers
    self.limits = limits
    self.core = core
    conversation = LineConversation(limits: limits)
    channel.onEvent = { [unowned self] in happened($0) }
    channel.setTimer(limits.idleTimeout)
    handlers.onConnect(connection)
  }

  var waitingSince: Int? { conversation.hasReceivedLine ? nil : wait }

  func evict() { feed(.evicted) }

  func stop() { feed(.stopping(backlog: channel.backlog)) }

  func abort() { feed(.graceOver) }

  func send(_ bytes: [UInt8]) { feed(.send(bytes, backlog: channel.backlog)) }

  func feed(_ event: LineConversation.Event) {
    events.append(event)
    guard !isRunning else { return }
    isRunning = true
    while !events.isEmpty, !isClosed {
      for effect in conversation.handle(events.removeFirst()) { run(effect) }
    }
    isRunning = false
    guard !isClosed, conversation.activity != activity else { return }
    activity = conversation.activity
    channel.setTimer(limits.idleTimeout)
  }

  private func happened(_ event: Channel.Event) {
    switch event {
    case .readable: readAll()
    case .drained: feed(.drained)
    case .inputEnded:
      readAll()
      // Behind the lines that the handlers have sent.
      core.handle.post { [id = connection.id] in $0.connections[id]?.feed(.inputEnded) }
    case .failed(let cause): feed(.failed(cause))
    case .secured, .stalled: break
    case .timeUp: feed(.deadlinePassed)
    }
  }

  private func readAll() {
    while !isClosed, channel.hasInput { feed(.received(channel.read())) }
  }

  private func run(_ effect: LineConversation.Effect) {
    switch effect {
    case .deliver(let line): handlers.onLine(connection, line)
    case .write(let bytes): channel.write(bytes)
    case .close(let reason): leave(reason) { $0.close() }
    case .reset(let reason): leave(reason) { $0.reset() }
    }
  }

  private func leave(_ reason: String, _ end: (Channel) -> Void) {
    isClosed = true
    end(channel)
    handlers.onClose(connection, reason)
    core.remove(connection.id)
  }
}
