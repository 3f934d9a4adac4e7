/// The part of a line server that lives on the loop's thread.
final class LineServerCore {
  let handlers: LineHandlers
  let limits: LoopbackLimits

  private let loop: EventLoop
  private let handle: LoopBound<LineServerCore>
  private let roster: ConnectionRoster<LineChannel>

  init(_ loop: EventLoop, _ handle: LoopBound<LineServerCore>, handlers: LineHandlers, limits: LoopbackLimits) {
    self.loop = loop
    self.handle = handle
    self.handlers = handlers
    self.limits = limits
    roster = ConnectionRoster(loop)
  }

  func listen(at address: LoopbackAddress, port: Int) throws(LoopbackError) -> Int {
    try roster.listen(at: address, port: port) { [unowned self] in connection(of: $0, id: $1) }
  }

  func stop(grace: Duration) { roster.stop(grace: grace) }

  func removed(_ id: Int) { roster.remove(id) }

  func send(_ bytes: [UInt8], to id: Int) { roster.connections[id]?.send(bytes) }

  func tell(_ id: Int, _ event: LineConversation.Event) { roster.connections[id]?.feed(event) }

  func broadcast(_ bytes: [UInt8]) {
    for connection in roster.connections.values { connection.send(bytes) }
  }

  private func connection(of socket: Int32, id: Int) -> LineChannel? {
    guard let channel = Channel(loop, socket: socket, stallTimeout: nil) else { return nil }
    guard roster.connections.count < limits.connections else {
      channel.close()
      return nil
    }
    return LineChannel(LineConnection(id: id, core: handle), channel, core: self)
  }
}
