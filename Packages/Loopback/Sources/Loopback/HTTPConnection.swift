/// The decisions of an HTTP connection as a value: `(state, event) -> (state, [effect])`.
struct HTTPConversation {
  enum Event: Equatable {
    case received([UInt8])
    case inputEnded
    case replied(HTTPReply)
    /// All written bytes were sent.
    case drained
    case timeUp
    /// The server is stopping: finish the current request, and begin no other.
    case stopping
  }

  enum Effect: Equatable {
    case write([UInt8])
    /// The reply returns as ``Event/replied(_:)``.
    case handle(HTTPRequest)
    /// The reply is still sent, because the client can still read.
    case cancelHandler
    /// ``Event/timeUp`` follows after this time.
    case wait(Duration)
    case close
    /// Close so that the client can read the response, although it still sends the rest of a rejected request.
    case linger
    /// Close so that the client sees an error.
    case reset
  }

  enum State: Equatable {
    case receiving
    case handling
    case delaying(HTTPReply)
    case silent
    case dripping(ArraySlice<UInt8>, every: Duration)
    /// `end` follows after the bytes were sent; with `nil`, the next request.
    case flushing(end: Effect?)
    case closed
  }

  private(set) var state = State.receiving
  private var parser = RequestParser()
  private var head: RequestHead?
  private var keepsAlive = false
  private var isStopping = false
  private var inputHasEnded = false

  mutating func handle(_ event: Event) -> [Effect] {
    if case .received(let bytes) = event { parser.append(bytes) }
    if event == .inputEnded { inputHasEnded = true }
    if event == .stopping { isStopping = true }
    switch (event, state) {
    case (.received, .receiving): return receive()
    case (.inputEnded, .handling): return [.cancelHandler]
    case (.inputEnded, .receiving), (.inputEnded, .delaying), (.inputEnded, .silent): return end(by: .close)
    case (.replied(let reply), .handling): return send(reply)
    case (.timeUp, .delaying(let reply)): return send(reply)
    case (.timeUp, .dripping(let bytes, let interval)): return drip(bytes, every: interval)
    case (.drained, .flushing(let end?)): return self.end(by: end)
    case (.drained, .flushing(nil)):
      guard !isStopping else { return end(by: .close) }
      state = .receiving
      return receive()
    case (.stopping, .silent): return end(by: .close)
    case (.stopping, .receiving): return parser.isEmpty ? end(by: .close) : []
    default: return []
    }
  }

  private mutating func receive() -> [Effect] {
    do {
      if let parsed = try parser.next() {
        (head, keepsAlive) = (parsed, parsed.keepsAlive)
        // The handler has the body.
        head?.request.body = []
        state = .handling
        return [.handle(parsed.request)]
      }
    } catch {
      (head, keepsAlive) = (nil, false)
      return write(encode(error.response).bytes, then: .linger)
    }
    if inputHasEnded { return end(by: .close) }
    return parser.takeContinue() ? [.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))] : []
  }

  private mutating func send(_ reply: HTTPReply) -> [Effect] {
    switch reply {
    case .response(let response): return write(encode(response).bytes, then: keepsAlive ? nil : .close)
    case .delayed(let duration, let reply):
      state = .delaying(reply)
      return [.wait(duration)]
    case .disconnected: return end(by: .close)
    case .reset: return end(by: .reset)
    case .truncated(let response, let bodyBytes):
      let (bytes, headCount) = encode(response)
      return write(Array(bytes.prefix(headCount + min(max(0, bodyBytes), bytes.count))), then: .close)
    case .dripped(let response, let interval): return drip(encode(response).bytes[...], every: interval)
    case .never:
      state = .silent
      return isStopping || inputHasEnded ? end(by: .close) : []
    case .raw(let bytes): return bytes.isEmpty ? end(by: .close) : write(bytes, then: .close)
    }
  }

  private mutating func drip(_ bytes: ArraySlice<UInt8>, every interval: Duration) -> [Effect] {
    guard bytes.count > 1 else { return write(Array(bytes), then: keepsAlive ? nil : .close) }
    state = .dripping(bytes.dropFirst(), every: interval)
    return [.write(Array(bytes.prefix(1))), .wait(interval)]
  }

  private mutating func write(_ bytes: [UInt8], then end: Effect?) -> [Effect] {
    state = .flushing(end: end)
    return [.write(bytes)]
  }

  private mutating func end(by effect: Effect) -> [Effect] {
    state = .closed
    return [effect]
  }

  private mutating func encode(_ response: HTTPResponse) -> (bytes: [UInt8], headCount: Int) {
    keepsAlive = keepsAlive && !isStopping && !response.headers.lists("close", in: "Connection")
    return response.encoded(
      keepAlive: keepsAlive, isHTTP10: head?.isHTTP10 == true, includesBody: head?.request.method != .head)
  }
}

/// Carries out the effects of an ``HTTPConversation``.
///
/// `@unchecked Sendable`: it is used only on the loop's thread.
final class HTTPConnection: Connection, @unchecked Sendable {
  private let channel: Channel
  private let router: Router
  private unowned let core: ServerCore
  private let id: Int
  private var conversation = HTTPConversation()
  private var handler: Task<Void, Never>?

  init(_ channel: Channel, _ router: Router, _ core: ServerCore, _ id: Int) {
    self.channel = channel
    self.router = router
    self.core = core
    self.id = id
    channel.onEvent = { [unowned self] in happened($0) }
  }

  func stop() { feed(.stopping) }

  func abort() { end { $0.reset() } }

  private func happened(_ event: Channel.Event) {
    switch event {
    case .opened: break
    case .received(let bytes): feed(.received(bytes))
    case .drained: feed(.drained)
    case .inputEnded: feed(.inputEnded)
    case .timeUp: feed(.timeUp)
    case .handshakeFailed: linger()
    case .failed: abort()
    }
  }

  private func feed(_ event: HTTPConversation.Event) {
    for effect in conversation.handle(event) {
      switch effect {
      case .write(let bytes): channel.write(bytes)
      case .handle(let request): handle(request)
      case .cancelHandler: handler?.cancel()
      case .wait(let duration): channel.setTimer(duration)
      case .close: end { $0.close() }
      case .linger: linger()
      case .reset: end { $0.reset() }
      }
    }
  }

  private func handle(_ request: HTTPRequest) {
    var request = request
    request.clientName = channel.clientName
    handler = Task { [request, loop = core.loop] in
      let reply = await router.reply(to: request)
      loop.post { self.feed(.replied(reply)) }
    }
  }

  private func linger() { channel.closeAfterInput { [unowned self] in end { $0.close() } } }

  private func end(_ close: (Channel) -> Void) {
    handler?.cancel()
    close(channel)
    core.remove(id)
  }
}
