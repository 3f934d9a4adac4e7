extension HTTPConversation {
  /// Does what a reply says, fault or not.
  mutating func carryOut(_ reply: HTTPReply) -> [Effect] {
    wait(nil)
    switch reply.plan {
    case .respond(let response):
      let (encoded, next) = encode(response)
      return send(encoded.bytes, then: next)
    case .delay(let duration, let reply):
      phase = .delaying(reply)
      wait(duration)
      return []
    case .disconnect:
      return leave(by: .close)
    case .reset:
      return leave(by: .reset)
    case .truncate(let response, let bodyBytes):
      let (encoded, _) = encode(response)
      let sent = encoded.headCount + min(max(0, bodyBytes), response.body.count)
      return send(Array(encoded.bytes.prefix(sent)), then: .close)
    case .drip(let response, let interval):
      let (encoded, _) = encode(response)
      phase = .dripping(encoded.bytes, sent: 0, interval: interval)
      return drip()
    case .silence:
      phase = .silent
      return isStopping ? leave(by: .close) : []
    case .raw(let bytes):
      return bytes.isEmpty ? leave(by: .close) : send(bytes, then: .close)
    }
  }

  /// Answers a request that is not served, and gives the connection up.
  mutating func refuse(with response: HTTPResponse) -> [Effect] {
    exchange = Exchange()
    wait(nil)
    return send(encode(response).0.bytes, then: .linger)
  }

  /// Sends one more byte.
  mutating func drip() -> [Effect] {
    guard case .dripping(let bytes, let sent, let interval) = phase else { return [] }
    let byte = [bytes[sent]]
    guard sent + 1 < bytes.count else {
      wait(nil)
      return send(byte, then: exchange.keepsAlive && !isStopping ? .nextRequest : .close)
    }
    phase = .dripping(bytes, sent: sent + 1, interval: interval)
    wait(interval)
    return [.write(byte)]
  }

  /// Goes on once an answer has left.
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

  private mutating func encode(_ response: HTTPResponse) -> (HTTPResponse.Encoded, AfterFlush) {
    exchange.keepsAlive =
      exchange.keepsAlive && !isStopping && !response.headers.lists("close", in: "Connection")
    let encoded = response.encoded(
      keepAlive: exchange.keepsAlive, isHTTP10: exchange.isHTTP10, includesBody: !exchange.isHead)
    return (encoded, exchange.keepsAlive ? .nextRequest : .close)
  }
}
