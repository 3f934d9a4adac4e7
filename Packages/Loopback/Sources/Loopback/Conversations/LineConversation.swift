/// The decisions of a line connection as a value.
struct LineConversation {
  enum Event: Equatable {
    case received([UInt8])
    case inputEnded
    case failed(String)
    /// Bytes to send, and the number of bytes that wait already.
    case send([UInt8], backlog: Int)
    /// All written bytes were sent.
    case drained
    /// Close after all bytes were sent.
    case finish
    /// Close now.
    case close
    /// Close in a way that the client sees as an error.
    case reset
    case deadlinePassed
    /// The server is stopping: send the waiting bytes, and close.
    case stopping(backlog: Int)
    case graceOver
  }

  enum Effect: Equatable {
    case deliver(Line)
    /// Notify the handler that the client has closed its sending side.
    case inputEnded
    case write([UInt8])
    case close(LineCloseReason)
    case reset(LineCloseReason)
  }

  enum Phase: Equatable {
    case open
    /// Closes with the reason after all bytes were sent.
    case finishing(LineCloseReason)
    case closed
  }

  private(set) var phase = Phase.open
  /// The number of the wait for the client.
  ///
  /// A new wait begins with the first byte of a line, with its end, and when all bytes were sent. A client that sends a
  /// line byte by byte does not extend its time.
  private(set) var activity = 0

  private let limits: LoopbackLimits
  private var splitter: LineSplitter
  private var inputHasEnded = false
  private var isDrained = true

  init(limits: LoopbackLimits) {
    self.limits = limits
    splitter = LineSplitter(limit: limits.lineBytes)
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch (event, phase) {
    case (_, .closed): return []
    case (.received(let bytes), .open):
      let hadPartialLine = splitter.hasPartialLine
      let pieces = splitter.append(bytes)
      if !hadPartialLine || !pieces.isEmpty { activity += 1 }
      return deliver(pieces)
    case (.received, _): return []
    case (.inputEnded, .open):
      inputHasEnded = true
      let effects = deliver(splitter.finish())
      return phase == .closed ? effects : effects + [.inputEnded]
    case (.inputEnded, _):
      inputHasEnded = true
      return []
    case (.failed(let cause), _): return leave(.failed(cause))
    case (.send(let bytes, let backlog), .open):
      guard backlog + bytes.count <= max(0, limits.writeBacklogBytes) else {
        return leave(.slowReader(limit: limits.writeBacklogBytes), resetting: true)
      }
      guard !bytes.isEmpty else { return [] }
      isDrained = false
      return [.write(bytes)]
    case (.send, _): return []
    case (.drained, .open):
      if !splitter.hasPartialLine { activity += 1 }
      isDrained = true
      return []
    case (.drained, .finishing(let reason)): return leave(reason)
    case (.finish, .open): return finish(inputHasEnded ? .closedByClient : .closedByServer)
    case (.finish, _): return []
    case (.close, _): return leave(.closedByServer)
    case (.reset, _): return leave(.closedByServer, resetting: true)
    case (.deadlinePassed, _): return leave(.idle(limits.idleTimeout))
    case (.stopping(let backlog), .open):
      isDrained = isDrained || backlog == 0
      return finish(.serverStopped)
    case (.stopping, _): return []
    case (.graceOver, _): return leave(.serverStopped, resetting: true)
    }
  }

  private mutating func deliver(_ pieces: [LineSplitter.Piece]) -> [Effect] {
    var effects: [Effect] = []
    for piece in pieces {
      switch piece {
      case .line(let line): effects.append(.deliver(line))
      case .tooLong: effects += leave(.lineTooLong(limit: limits.lineBytes))
      }
    }
    return effects
  }

  private mutating func finish(_ reason: LineCloseReason) -> [Effect] {
    phase = .finishing(reason)
    return isDrained ? leave(reason) : []
  }

  private mutating func leave(_ reason: LineCloseReason, resetting: Bool = false) -> [Effect] {
    phase = .closed
    return [resetting ? .reset(reason) : .close(reason)]
  }
}
