import Foundation

/// A connection of a server.
///
/// Use it on the loop's thread only.
protocol ServedConnection: AnyObject, SendableMetatype {
  /// The value of ``ServerCore/nextWait()`` when the connection began to wait for a request or a line.
  ///
  /// `nil` if the connection is in use. At the limit, a new connection replaces the longest wait.
  var waitingSince: Int? { get }
  func evict()
  func stop()
  func abort()
}

/// The port and the connections of a server.
///
/// Use it on the loop's thread only.
final class ServerCore<Connection: ServedConnection> {
  typealias Connect = (ServerCore, Channel, _ id: Int) -> Connection?

  let handle: ServerHandle<Connection>
  private(set) var connections: [Int: Connection] = [:]

  private let loop: EventLoop
  private let limits: LoopbackLimits
  private let tls: TLSContext?
  private let connect: Connect
  /// The channels before the end of their TLS handshake, by the number of their wait.
  private var handshakes: [Int: Channel] = [:]
  private var lastWait = 0
  private var listener: Listener?
  private var isStopping = false
  private var graceTimers: [LoopTimer] = []
  private var lastID = 0

  init(
    _ handle: ServerHandle<Connection>, port: Int, limits: LoopbackLimits, tls: TLSContext?,
    onAcceptError: @escaping (LoopbackError) -> Void, _ connect: @escaping Connect
  ) throws(LoopbackError) {
    self.handle = handle
    self.loop = handle.loop
    self.limits = limits
    self.tls = tls
    self.connect = connect
    listener = try Listener(loop, port: port, accept: { [unowned self] in accept($0) }, onError: onAcceptError)
  }

  var port: Int { listener?.port ?? 0 }

  var surplus: Int { connections.count + handshakes.count - max(0, limits.connections) }

  func nextWait() -> Int {
    lastWait += 1
    return lastWait
  }

  func remove(_ id: Int) {
    connections[id] = nil
    endIfEmpty()
  }

  /// After a second call, the shorter grace period counts.
  func stop(grace: Duration) {
    if !isStopping {
      isStopping = true
      listener?.close()
      listener = nil
      for connection in connections.values { connection.stop() }
      for wait in handshakes.keys { endHandshake(wait) }
    }
    let timer = LoopTimer(loop) { [unowned self] in abort() }
    timer.set(grace)
    graceTimers.append(timer)
    endIfEmpty()
  }

  /// Slow clients must not keep others out.
  ///
  /// So at the limit, the connection that waits longest for its handshake or its request closes.
  private func accept(_ socket: Int32) {
    guard let channel = Channel(loop, socket: socket, tls: tls) else { return }
    if surplus >= 0 { evictLongestWait() }
    if tls == nil { connect(channel) } else { beginHandshake(channel) }
  }

  private func connect(_ channel: Channel) {
    lastID += 1
    connections[lastID] = connect(self, channel, lastID)
  }

  private func evictLongestWait() {
    let waiting = connections.values.min { ($0.waitingSince ?? .max) < ($1.waitingSince ?? .max) }
    let wait = waiting?.waitingSince
    if let handshake = handshakes.keys.min(), handshake < wait ?? .max {
      endHandshake(handshake)
    } else if wait != nil {
      waiting?.evict()
    }
  }

  private func abort() {
    for connection in connections.values { connection.abort() }
    endIfEmpty()
  }

  private func endIfEmpty() {
    guard isStopping, connections.isEmpty, handshakes.isEmpty else { return }
    for timer in graceTimers { timer.free() }
    loop.end()
  }
}

// MARK: - TLS handshakes

extension ServerCore {
  /// A failed handshake concerns only its client, so it is not reported.
  private func beginHandshake(_ channel: Channel) {
    let wait = nextWait()
    handshakes[wait] = channel
    channel.setTimer(limits.idleTimeout)
    channel.onEvent = { [unowned self, unowned channel] event in
      switch event {
      case .secured:
        handshakes[wait] = nil
        connect(channel)
      case .failed: lingerAfterFailure(wait, channel)
      case .inputEnded, .stalled, .timeUp: endHandshake(wait)
      case .readable, .drained: break
      }
    }
  }

  private func lingerAfterFailure(_ wait: Int, _ channel: Channel) {
    guard channel.abandonTLS() else { return endHandshake(wait) }
    channel.setTimer(HTTPConversation.lingerTime)
    channel.onEvent = { [unowned self, unowned channel] event in
      switch event {
      case .readable: while channel.hasInput { _ = channel.read() }
      case .drained, .secured: break
      case .inputEnded, .failed, .stalled, .timeUp: endHandshake(wait)
      }
    }
  }

  private func endHandshake(_ wait: Int) {
    handshakes.removeValue(forKey: wait)?.close()
    endIfEmpty()
  }
}

/// A handle to the core of a server, which any thread can use.
///
/// `@unchecked Sendable`: `core` is used only on the loop's thread.
final class ServerHandle<Connection: ServedConnection>: @unchecked Sendable {
  let loop: EventLoop
  private var core: ServerCore<Connection>?

  private init(_ loop: EventLoop) { self.loop = loop }

  /// The closure runs on the loop's thread, and returns the function that creates connections.
  static func start(
    port: Int, limits: LoopbackLimits, tls: TLSContext?, onAcceptError: @escaping @Sendable (LoopbackError) -> Void,
    _ makeConnect: @escaping @Sendable () -> ServerCore<Connection>.Connect
  ) async throws(LoopbackError) -> (ServerHandle, port: Int) {
    let handle = ServerHandle(try EventLoop.launch())
    let port: Result<Int, LoopbackError> = await withCheckedContinuation { continuation in
      handle.loop.post {
        do throws(LoopbackError) {
          let core = try ServerCore(
            handle, port: port, limits: limits, tls: tls, onAcceptError: onAcceptError, makeConnect())
          handle.core = core
          continuation.resume(returning: .success(core.port))
        } catch {
          continuation.resume(returning: .failure(error))
          handle.loop.end()
        }
      }
    }
    // The core has a reference to its handle.
    handle.loop.whenEnded { handle.core = nil }
    return (handle, try port.get())
  }

  func post(_ body: @escaping @Sendable (ServerCore<Connection>) -> Void) {
    loop.post { [self] in
      if let core { body(core) }
    }
  }

  func stop(grace: Duration) async {
    post { $0.stop(grace: grace) }
    await withCheckedContinuation { continuation in loop.whenEnded { continuation.resume() } }
  }
}
