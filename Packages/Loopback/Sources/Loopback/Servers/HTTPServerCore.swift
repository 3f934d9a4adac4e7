/// The part of an HTTP server on the loop's thread.
final class HTTPServerCore {
  let router: Router
  let limits: LoopbackLimits
  let handle: LoopBound<HTTPServerCore>

  private let loop: EventLoop
  private let roster: ConnectionRoster<HTTPConnection>
  private var requestsInFlight = 0

  init(_ loop: EventLoop, _ handle: LoopBound<HTTPServerCore>, router: Router, limits: LoopbackLimits) {
    self.loop = loop
    self.handle = handle
    self.router = router
    self.limits = limits
    roster = ConnectionRoster(loop)
  }

  func listen(
    at address: LoopbackAddress, port: Int, onAcceptError: @escaping (LoopbackError) -> Void
  ) throws(LoopbackError) -> Int {
    try roster.listen(at: address, port: port, onAcceptError: onAcceptError) { [unowned self] in
      connection(of: $0, id: $1)
    }
  }

  func stop(grace: Duration) { roster.stop(grace: grace) }

  func removed(_ id: Int) { roster.remove(id) }

  func replied(_ reply: HTTPReply, connection: Int, exchange: Int) {
    roster.connections[connection]?.replied(reply, exchange: exchange)
  }

  /// Counts a request, unless the limit is reached.
  func takeSlot() -> Bool {
    guard requestsInFlight < limits.requestsInFlight else { return false }
    requestsInFlight += 1
    return true
  }

  func releaseSlot() { requestsInFlight -= 1 }

  /// The response to a request above the limit.
  var overloaded: HTTPResponse {
    let limit = limits.requestsInFlight
    return refusal("Cannot accept the request: the limit of \(limit) requests in flight is reached. Retry in 1 second.")
  }

  private func connection(of socket: Int32, id: Int) -> HTTPConnection? {
    guard let channel = Channel(loop, socket: socket, stallTimeout: limits.idleTimeout) else { return nil }
    // A few connections above the limit get a response; further ones are closed at once.
    let surplus = roster.connections.count - max(0, limits.connections)
    guard surplus < 64 else {
      channel.close()
      return nil
    }
    let limit = limits.connections
    let message = "Cannot accept the connection: the limit of \(limit) connections is reached. Retry in 1 second."
    return HTTPConnection(id, channel, core: self, refusal: surplus < 0 ? nil : refusal(message))
  }

  private func refusal(_ message: String) -> HTTPResponse {
    var response = HTTPResponse.text(message + "\n", status: .serviceUnavailable)
    response.headers["Retry-After"] = "1"
    return response
  }
}
