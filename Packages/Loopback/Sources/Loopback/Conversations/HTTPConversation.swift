/// The decisions of an HTTP connection as a value: `(state, event) -> (state, [effect])`.
struct HTTPConversation {
  enum Event: Equatable {
    /// Occurs only while ``HTTPConversation/wantsInput``.
    case received([UInt8])
    case inputEnded
    /// A new connection needs the place of this one.
    case evicted
    /// The connection broke, the client does not read its response, or the grace period has passed.
    case failed
    case replied(HTTPReply)
    case drained
    case deadlinePassed
    /// The server is stopping: finish the current request, and begin no other.
    case stopping
  }

  enum Effect: Equatable {
    case write([UInt8])
    /// The reply returns as ``Event/replied(_:)``.
    case handle(HTTPRequest)
    /// The reply is sent if it arrives in time, because the client can still read.
    case cancelHandler
    /// Close the sending side, so that the client can read to the end.
    case endOutput
    case close
    /// Close in a way that the client sees as an error.
    case reset
  }

  enum Phase: Equatable {
    case receiving
    case handling
    case delaying(HTTPReply)
    case silent
    case dripping(ArraySlice<UInt8>, interval: Duration)
    case flushing(next: AfterFlush)
    /// The response was sent, and the rest of a rejected request is read and dropped. If the connection closed at once, the system
    /// would reset it, and the client could lose the response.
    case lingering
    case closed
  }

  enum AfterFlush: Equatable {
    case nextRequest
    case close
    case linger
  }

  /// The minimum average rate at which a client must read a response, in bytes per second.
  static let slowestRate = 1_024
  static let lingerTime = Duration.seconds(1)

  let limits: LoopbackLimits
  var phase = Phase.receiving
  private(set) var deadline: Duration?
  /// The number of waits, so that two waits of the same duration differ.
  private(set) var waits = 0
  var parser: HTTPRequestParser
  var stage = HTTPRequestParser.Stage.between
  var head: HTTPRequestHead?
  var keepsAlive = false
  var isStopping = false
  var inputHasEnded = false

  init(limits: LoopbackLimits) {
    self.limits = limits
    parser = HTTPRequestParser(limits: limits)
    wait(limits.idleTimeout)
  }

  var wantsInput: Bool { phase == .receiving || phase == .lingering }

  var isFlushing: Bool { if case .flushing = phase { true } else { false } }

  var isInFlight: Bool { !wantsInput && phase != .closed }

  mutating func handle(_ event: Event) -> [Effect] {
    switch (event, phase) {
    case (_, .closed): return []
    case (.received(let bytes), .receiving):
      parser.append(bytes)
      return receive()
    case (.inputEnded, .handling), (.inputEnded, .flushing), (.inputEnded, .dripping):
      inputHasEnded = true
      return phase == .handling ? [.cancelHandler] : []
    case (.inputEnded, _), (.evicted, _): return leave(by: .close)
    case (.failed, _): return leave(by: .reset)
    case (.replied(let reply), .handling): return carryOut(reply)
    case (.drained, .flushing(let next)): return flushed(next)
    case (.deadlinePassed, _): return deadlinePassed()
    case (.stopping, _): return stop()
    case (.received, _), (.replied, _), (.drained, _): return []
    }
  }

  mutating func wait(_ duration: Duration?) {
    waits += 1
    deadline = duration
  }
}

extension HTTPConversation {
  mutating func receive() -> [Effect] {
    do {
      if let parsed = try parser.next() {
        (head, keepsAlive) = (parsed, parsed.keepsAlive)
        // The handler has the body.
        head?.request.body = []
        phase = .handling
        stage = .between
        wait(limits.handlerTimeout)
        return [.handle(parsed.request)]
      }
    } catch {
      return refuse(with: error.response)
    }
    if inputHasEnded { return leave(by: .close) }
    // Only a later stage resets the timer, so that a slow client cannot extend its time.
    if parser.stage > stage {
      stage = parser.stage
      wait(timeout)
    }
    return parser.takeContinue() ? [.write(HTTPResponse.continueBytes)] : []
  }

  private var timeout: Duration {
    switch stage {
    case .between: limits.idleTimeout
    case .head: limits.headerTimeout
    case .body: limits.bodyTimeout
    }
  }

  private mutating func deadlinePassed() -> [Effect] {
    switch phase {
    case .receiving where stage == .between: return leave(by: .close)
    case .receiving:
      let part = stage == .head ? "header" : "body"
      let answer = "Cannot read the request: the \(part) did not arrive within \(timeout). Send it faster.\n"
      return refuse(with: .text(answer, status: 408))
    case .handling:
      let answer = "Cannot answer the request: the handler did not finish within \(limits.handlerTimeout). Try again.\n"
      return [.cancelHandler] + carryOut(.response(.text(answer, status: 503)))
    case .delaying(let reply): return carryOut(reply)
    case .dripping: return drip()
    case .lingering: return leave(by: .close)
    case .flushing: return leave(by: .reset)
    case .silent, .closed: return []
    }
  }

  private mutating func stop() -> [Effect] {
    isStopping = true
    switch phase {
    case .receiving where stage == .between: return leave(by: .close)
    case .silent: return leave(by: .close)
    default: return []
    }
  }

  mutating func leave(by end: Effect) -> [Effect] {
    let wasHandling = phase == .handling
    phase = .closed
    wait(nil)
    return wasHandling ? [.cancelHandler, end] : [end]
  }
}
