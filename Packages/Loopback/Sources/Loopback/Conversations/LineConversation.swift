struct LineConversation {
  enum Event: Equatable {
    case received([UInt8])
    case inputEnded
    case failed(String)
    /// Bytes to send, and the number of bytes that wait already.
    case send([UInt8], backlog: Int)
    case drained
    case finish
    case evicted
    case deadlinePassed
    /// The server is stopping: send the waiting bytes, and close.
    case stopping(backlog: Int)
    case graceOver
  }

  enum Effect: Equatable {
    case deliver(Line)
    case write([UInt8])
    case close(reason: String)
    case reset(reason: String)
  }

  enum Phase: Equatable {
    case open
    case finishing(reason: String)
    case closed
  }

  private(set) var phase = Phase.open
  /// A new wait begins with the first byte of a line, with its end, and when all bytes were sent.
  ///
  /// A client that sends a line byte by byte does not extend its time.
  private(set) var activity = 0
  private(set) var hasReceivedLine = false

  private let limits: LoopbackLimits
  private var buffer = InputBuffer()
  private var isDrained = true

  init(limits: LoopbackLimits) { self.limits = limits }

  mutating func handle(_ event: Event) -> [Effect] {
    switch (event, phase) {
    case (_, .closed): return []
    case (.received(let bytes), .open): return receive(bytes)
    case (.inputEnded, .open): return finish("The client closed the connection")
    case (.failed(let cause), _): return close("The connection failed: \(cause)")
    case (.send(let bytes, let backlog), .open):
      guard backlog + bytes.count <= max(0, limits.writeBacklogBytes) else {
        return close("The client left more than \(limits.writeBacklogBytes) bytes unread", resetting: true)
      }
      isDrained = isDrained && bytes.isEmpty
      return bytes.isEmpty ? [] : [.write(bytes)]
    case (.drained, .open):
      if buffer.count == 0 { activity += 1 }
      isDrained = true
      return []
    case (.drained, .finishing(let reason)): return close(reason)
    case (.finish, .open): return finish("The server's handler closed the connection")
    case (.evicted, _): return close("The client sent no complete line, and a new connection needed its place")
    case (.deadlinePassed, _):
      return close("No complete line was received and nothing was sent for \(limits.idleTimeout)")
    case (.stopping(let backlog), .open):
      isDrained = isDrained || backlog == 0
      return finish("The server stopped")
    case (.graceOver, _): return close("The server stopped", resetting: true)
    case (.received, _), (.inputEnded, _), (.send, _), (.finish, _), (.stopping, _): return []
    }
  }

  private mutating func receive(_ bytes: [UInt8]) -> [Effect] {
    let hadPartialLine = buffer.count > 0
    buffer.append(bytes)
    var effects: [Effect] = []
    while let line = buffer.line() {
      let content = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard content.count <= limits.lineBytes else { return effects + closeTooLong() }
      effects.append(.deliver(Line(bytes: Array(content))))
    }
    if !hadPartialLine || !effects.isEmpty { activity += 1 }
    if !effects.isEmpty { hasReceivedLine = true }
    // A carriage return at the end can belong to the line's end.
    return buffer.count - (buffer.last == UInt8(ascii: "\r") ? 1 : 0) > max(0, limits.lineBytes)
      ? effects + closeTooLong() : effects
  }

  private mutating func closeTooLong() -> [Effect] { close("A line exceeded the limit of \(limits.lineBytes) bytes") }

  private mutating func finish(_ reason: String) -> [Effect] {
    phase = .finishing(reason: reason)
    return isDrained ? close(reason) : []
  }

  private mutating func close(_ reason: String, resetting: Bool = false) -> [Effect] {
    phase = .closed
    return [resetting ? .reset(reason: reason) : .close(reason: reason)]
  }
}
