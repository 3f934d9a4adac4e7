/// One HTTP connection as a value: what to do about each thing that happens on it.
///
/// `(state, event) -> (state, [effect])`; the shell moves bytes, runs handlers, keeps the one timer, and feeds back
/// what comes of it.
struct HTTPConversation {
  enum Event: Equatable {
    /// Bytes came. Sent only while ``HTTPConversation/wantsInput``.
    case received([UInt8])
    /// The client will send nothing more.
    case inputEnded
    /// The connection broke, the client does not take its answer, or the grace period is over.
    case failed
    /// The handler of the present request answered.
    case replied(HTTPReply)
    /// Everything written so far has left.
    case drained
    /// The time set last is over.
    case deadlinePassed
    /// The server is stopping: finish what has begun, begin nothing.
    case stopping
  }

  enum Effect: Equatable {
    case write([UInt8])
    /// Call the handler; its answer comes back as ``Event/replied(_:)``.
    case handle(HTTPRequest)
    /// The answer of the present handler is no longer wanted.
    case cancelHandler
    /// Send no more, and let the client read on to the end.
    case endOutput
    case close
    /// Close in a way that the client sees as an error.
    case reset
  }

  /// What the connection waits for.
  enum Phase: Equatable {
    case receiving
    case handling
    case delaying(HTTPReply)
    case silent
    case dripping([UInt8], sent: Int, interval: Duration)
    case flushing(next: AfterFlush)
    /// The answer is out; the rest of a request that was refused is read and thrown away. Closing at once would make
    /// the system reset the connection, and the client might lose the answer.
    case lingering
    case closed
  }

  enum AfterFlush: Equatable {
    case nextRequest
    case close
    case linger
  }

  /// How long to wait for what comes next.
  ///
  /// Each wait has a number of its own, so that two of the same length differ.
  struct Deadline: Equatable {
    let duration: Duration
    let number: Int
  }

  /// What must be remembered of a request while its answer is made.
  struct Exchange {
    var keepsAlive = false
    var isHTTP10 = false
    var isHead = false
  }

  /// The fewest bytes that a client may take in a second, on average over a response.
  static let slowestRate = 1_024
  static let lingerTime = Duration.seconds(1)

  let limits: LoopbackLimits
  var phase = Phase.receiving
  var deadline: Deadline?
  var parser: HTTPRequestParser
  var stage = HTTPRequestParser.Stage.between
  var exchange = Exchange()
  var isStopping = false
  var inputHasEnded = false
  private var waits = 0

  init(limits: LoopbackLimits) {
    self.limits = limits
    parser = HTTPRequestParser(limits: limits)
    wait(limits.idleTimeout)
  }

  /// A connection over the limit, and what to tell it.
  static func refusing(with response: HTTPResponse, limits: LoopbackLimits) -> (Self, [Effect]) {
    var conversation = Self(limits: limits)
    let effects = conversation.refuse(with: response)
    return (conversation, effects)
  }

  /// Whether bytes should be taken from the socket now; if not, they wait there.
  var wantsInput: Bool { phase == .receiving || phase == .lingering }

  /// Whether an answer is on its way out.
  var isFlushing: Bool { if case .flushing = phase { true } else { false } }

  /// Whether a request has been taken on and not been answered in full.
  var isInFlight: Bool {
    switch phase {
    case .handling, .delaying, .silent, .dripping, .flushing: true
    case .receiving, .lingering, .closed: false
    }
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch (event, phase) {
    case (_, .closed): return []
    case (.received(let bytes), .receiving):
      parser.append(bytes)
      return receive()
    case (.received, _): return []
    case (.inputEnded, .flushing), (.inputEnded, .dripping):
      inputHasEnded = true
      return []
    case (.inputEnded, _): return leave(by: .close)
    case (.failed, _): return leave(by: .reset)
    case (.replied(let reply), .handling): return carryOut(reply)
    case (.replied, _): return []
    case (.drained, .flushing(let next)): return flushed(next)
    case (.drained, _): return []
    case (.deadlinePassed, _): return deadlinePassed()
    case (.stopping, _): return stop()
    }
  }

  mutating func wait(_ duration: Duration?) {
    waits += 1
    deadline = duration.map { Deadline(duration: $0, number: waits) }
  }
}

extension HTTPConversation {
  /// Goes on with the bytes at hand, up to the next request.
  mutating func receive() -> [Effect] {
    do {
      if let parsed = try parser.next() {
        exchange = Exchange(
          keepsAlive: parsed.keepsAlive, isHTTP10: parsed.isHTTP10, isHead: parsed.request.method == .head)
        phase = .handling
        stage = .between
        wait(limits.handlerTimeout)
        return [.handle(parsed.request)]
      }
    } catch {
      return refuse(with: error.response)
    }
    if inputHasEnded { return leave(by: .close) }
    // Only a new stage gets new time; a client that trickles bytes gains none.
    if parser.stage != stage {
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
      let answer = "Cannot read the request: the \(part) did not arrive within \(timeout).\n"
      return refuse(with: .text(answer, status: .requestTimeout))
    case .handling:
      let answer = "Cannot answer the request: the handler did not finish within \(limits.handlerTimeout).\n"
      return [.cancelHandler] + carryOut(.response(.text(answer, status: .serviceUnavailable)))
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

  /// Ends the connection now.
  mutating func leave(by end: Effect) -> [Effect] {
    let wasHandling = phase == .handling
    phase = .closed
    wait(nil)
    return wasHandling ? [.cancelHandler, end] : [end]
  }
}
