/// A connection of a server.
///
/// On the loop's thread only.
protocol ServedConnection: AnyObject {
  /// Finishes the current request, and closes.
  func stop()
  /// Close now.
  func abort()
}

/// The port and the connections of a server.
///
/// On the loop's thread only.
final class ConnectionRoster<Connection: ServedConnection> {
  private(set) var connections: [Int: Connection] = [:]
  private(set) var isStopping = false

  private let loop: EventLoop
  private var listener: Listener?
  private var graceTimers: [LoopTimer] = []
  private var lastID = 0

  init(_ loop: EventLoop) { self.loop = loop }

  /// Starts to accept connections, and returns the port.
  ///
  /// The closure creates a connection from an accepted socket and its number, or closes the socket and returns `nil`.
  func listen(
    at address: LoopbackAddress, port: Int, onAcceptError: @escaping (LoopbackError) -> Void = { _ in },
    accept: @escaping (Int32, Int) -> Connection?
  ) throws(LoopbackError) -> Int {
    let listener = try Listener(
      loop, address: address, port: port,
      accept: { [unowned self] socket in
        lastID += 1
        if let connection = accept(socket, lastID) { connections[lastID] = connection }
      }, onError: onAcceptError)
    self.listener = listener
    return listener.port
  }

  func remove(_ id: Int) {
    connections[id] = nil
    endIfEmpty()
  }

  /// Stops accepting, and closes the remaining connections after the grace period.
  ///
  /// After a second call, the shorter grace period counts.
  func stop(grace: Duration) {
    if !isStopping {
      isStopping = true
      listener?.close()
      listener = nil
      for connection in connections.values { connection.stop() }
    }
    let timer = LoopTimer(loop) { [unowned self] in abort() }
    timer.set(grace)
    graceTimers.append(timer)
    endIfEmpty()
  }

  private func abort() {
    for connection in connections.values { connection.abort() }
    endIfEmpty()
  }

  private func endIfEmpty() {
    guard isStopping, connections.isEmpty else { return }
    for timer in graceTimers { timer.free() }
    loop.end()
  }
}
