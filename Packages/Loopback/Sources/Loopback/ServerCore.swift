/// A connection of a server.
///
/// It calls ``ServerCore/remove(_:)`` when it has ended. Use it on the loop's thread only.
protocol Connection: AnyObject {
  /// Finishes the current work, and closes.
  func stop()
  /// Resets.
  func abort()
}

/// The port and the connections of a server.
///
/// `@unchecked Sendable`: after `init`, its state is used only on the loop's thread.
final class ServerCore: @unchecked Sendable {
  typealias Connect = @Sendable (Channel, ServerCore, _ id: Int) -> any Connection

  let loop: EventLoop
  let port: Int

  private let listener: Listener
  private let tls: TLSContext?
  private let connect: Connect
  private var connections: [Int: any Connection] = [:]
  private var lastID = 0
  private var isStopping = false
  private var graceTimers: [LoopTimer] = []

  /// Starts a server, which runs until it is stopped, even without a reference to it.
  init(port: Int, tls identity: TLSIdentity?, _ connect: @escaping Connect) throws(LoopbackError) {
    tls = try identity.map { identity throws(LoopbackError) in try TLSContext(identity) }
    self.connect = connect
    loop = try EventLoop()
    listener = try Listener(loop, port: port)
    self.port = listener.port
    listener.onAccept = { [unowned self] in accept($0) }
    loop.whenEnded { withExtendedLifetime(self) {} }
    loop.start()
  }

  func remove(_ id: Int) {
    connections[id] = nil
    endIfEmpty()
  }

  /// After a second call, the shorter grace period counts.
  ///
  /// Any thread can call it.
  func stop(grace: Duration) {
    loop.post { [self] in
      if !isStopping {
        isStopping = true
        listener.close()
        for connection in connections.values { connection.stop() }
      }
      let timer = LoopTimer(loop) { [unowned self] in
        for connection in connections.values { connection.abort() }
      }
      timer.set(grace)
      graceTimers.append(timer)
      endIfEmpty()
    }
  }

  private func accept(_ socket: Int32) {
    guard let channel = Channel(loop, socket: socket, tls: tls) else { return }
    lastID += 1
    connections[lastID] = connect(channel, self, lastID)
    channel.start()
  }

  private func endIfEmpty() {
    guard isStopping, connections.isEmpty else { return }
    for timer in graceTimers { timer.free() }
    loop.end()
  }
}
