extension HTTPConversation {
  mutating func carryOut(_ reply: HTTPReply) -> [Effect] {
    wait(nil)
    switch reply {
    case .response(let response):
      let bytes = encode(response).bytes
      return send(bytes, then: keepsAlive ? .nextRequest : .close)
    case .delayed(let duration, let reply):
      phase = .delaying(reply)
      wait(duration)
      return []
    case .disconnected:
      return leave(by: .close)
    case .reset:
      return leave(by: .reset)
    case .truncated(let response, let bodyBytes):
      let (bytes, headCount) = encode(response)
      return send(Array(bytes.prefix(headCount + max(0, bodyBytes))), then: .close)
    case .dripped(let response, let interval):
      phase = .dripping(encode(response).bytes[...], interval: interval)
      return drip()
    case .never:
      phase = .silent
      return isStopping || inputHasEnded ? leave(by: .close) : []
    case .raw(let bytes):
      return bytes.isEmpty ? leave(by: .close) : send(bytes, then: .close)
    }
  }

  mutating func refuse(with response: HTTPResponse) -> [Effect] {
    (head, keepsAlive) = (nil, false)
    return send(encode(response).bytes, then: .linger)
  }

  mutating func drip() -> [Effect] {
    guard case .dripping(let bytes, let interval) = phase, let byte = bytes.first else { return [] }
    guard bytes.count > 1 else { return send([byte], then: keepsAlive && !isStopping ? .nextRequest : .close) }
    phase = .dripping(bytes.dropFirst(), interval: interval)
    wait(interval)
    return [.write([byte])]
  }

  mutating func flushed(_ next: AfterFlush) -> [Effect] {
    switch next {
    case .nextRequest where !isStopping:
      phase = .receiving
      wait(limits.idleTimeout)
      return receive()
    case .nextRequest, .close:
      return leave(by: .close)
    case .linger:
      guard !inputHasEnded else { return leave(by: .close) }
      phase = .lingering
      wait(Self.lingerTime)
      return [.endOutput]
    }
  }

  private mutating func send(_ bytes: [UInt8], then next: AfterFlush) -> [Effect] {
    phase = .flushing(next: next)
    wait(limits.idleTimeout + .seconds(bytes.count / Self.slowestRate))
    return [.write(bytes)]
  }

  private mutating func encode(_ response: HTTPResponse) -> (bytes: [UInt8], headCount: Int) {
    keepsAlive = keepsAlive && !isStopping && !response.headers.lists("close", in: "Connection")
    return response.encoded(
      keepAlive: keepsAlive, isHTTP10: head?.isHTTP10 == true, includesBody: head?.request.method != .head)
  }
}
