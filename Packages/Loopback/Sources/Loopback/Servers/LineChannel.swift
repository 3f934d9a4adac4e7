/// Moves bytes and lines between a channel and its conversation.
///
/// On the loop's thread only.
final class LineChannel: ServedConnection {
  private let connection: LineConnection
  private let core: LineServerCore
  private let channel: Channel
  private var conversation: LineConversation

  /// The events that arrived while effects were performed.
  private var events: [LineConversation.Event] = []
  private var isRunning = false
  private var isClosed = false
  private var activity = 0

  init(_ connection: LineConnection, _ channel: Channel, core: LineServerCore) {
    self.connection = connection
    self.channel = channel
    self.core = core
    conversation = LineConversation(limits: core.limits)
    channel.onEvent = { [unowned self] in happened($0) }
    channel.setTimer(core.limits.idleTimeout)
    core.handlers.onConnect(connection)
  }

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
    channel.setTimer(core.limits.idleTimeout)
  }

  private func happened(_ event: Channel.Event) {
    switch event {
    case .readable: readAll()
    case .drained: feed(.drained)
    case .inputEnded:
      readAll()
      feed(.inputEnded)
    case .failed(let cause): feed(.failed(cause))
    case .stalled: break
    case .timeUp: feed(.deadlinePassed)
    }
  }

  private func readAll() {
    while !isClosed, channel.hasInput { feed(.received(channel.read())) }
  }

  private func run(_ effect: LineConversation.Effect) {
    switch effect {
    case .deliver(let line): core.handlers.onLine(connection, line)
    case .inputEnded: core.handlers.onInputEnd(connection)
    case .write(let bytes): channel.write(bytes)
    case .close(let reason): leave(reason) { $0.close() }
    case .reset(let reason): leave(reason) { $0.reset() }
    }
  }

  private func leave(_ reason: LineCloseReason, _ end: (Channel) -> Void) {
    isClosed = true
    end(channel)
    core.handlers.onClose(connection, reason)
    core.removed(connection.id)
  }
}
