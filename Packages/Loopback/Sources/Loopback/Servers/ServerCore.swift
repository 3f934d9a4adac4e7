import Foundation

/// A connection of a server.
///
/// Use it on the loop's thread only.
protocol ServedConnection: AnyObject, SendableMetatype {
  /// The time at which the connection began to wait for a request or a line, as a number that grows with time.
  ///
  /// `nil` if the connection is in use. At the limit, a new connection replaces the longest wait.
  var waitingSince: Int? { get }
  /// Closes now, for a new connection.
  func evict()
  /// Finishes the current request, and closes.
  func stop()
  /// Closes now.
  func abort()
}

/// The port and the connections of a server.
///
/// Use it on the loop's thread only.
final class ServerCore<Connection: ServedConnection> {
  /// Creates a connection from a channel and its number, or closes the channel and returns `nil`.
  typealias Connect = (ServerCore, Channel, _ id: Int) -> Connection?

  let handle: ServerHandle<Connection>
  private(set) var connections: [Int: Connection] = [:]

  private let loop: EventLoop
  private let limits: LoopbackLimits
  private let connect: Connect
  private var listener: Listener?
  private var isStopping = false
  private var graceTimers: [LoopTimer] = []
  private var lastID = 0

  init(
    _ handle: ServerHandle<Connection>, port: Int, limits: LoopbackLimits,
    onAcceptError: @escaping (LoopbackError) -> Void, _ connect: @escaping Connect
  ) throws(LoopbackError) {
    self.handle = handle
    self.loop = handle.loop
    self.limits = limits
    self.connect = connect
    listener = try Listener(loop, port: port, accept: { [unowned self] in accept($0) }, onError: onAcceptError)
  }

  var port: Int { listener?.port ?? 0 }

  /// The number of connections above the limit; negative below it.
  var surplus: Int { connections.count - max(0, limits.connections) }

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

  /// Accepts a connection.
  ///
  /// Slow clients must not keep others out. So at the limit, the connection that waits longest for its request closes.
  private func accept(_ socket: Int32) {
    guard let channel = Channel(loop, socket: socket) else { return }
    if surplus >= 0 {
      let waiting = connections.values.min { ($0.waitingSince ?? .max) < ($1.waitingSince ?? .max) }
      if let waiting, waiting.waitingSince != nil { waiting.evict() }
    }
    lastID += 1
    connections[lastID] = connect(self, channel, lastID)
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

/// A handle to the core of a server, which any thread can use.
///
/// `@unchecked Sendable`: `core` is used only on the loop's thread.
final class ServerHandle<Connection: ServedConnection>: @unchecked Sendable {
  let loop: EventLoop
  private var core: ServerCore<Connection>?

  private init(_ loop: EventLoop) { self.loop = loop }

  /// Starts a server, and returns when it accepts connections.
  ///
  /// The closure runs on the loop's thread, and returns the function that creates connections.
  static func start(
    port: Int, limits: LoopbackLimits, onAcceptError: @escaping @Sendable (LoopbackError) -> Void,
    _ makeConnect: @escaping @Sendable () -> ServerCore<Connection>.Connect
  ) async throws(LoopbackError) -> (ServerHandle, port: Int) {
    let handle = ServerHandle(try EventLoop.launch())
    let port: Result<Int, LoopbackError> = await withCheckedContinuation { continuation in
      handle.loop.post {
        do throws(LoopbackError) {
          let core = try ServerCore(handle, port: port, limits: limits, onAcceptError: onAcceptError, makeConnect())
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

  /// Runs a closure with the core on the loop's thread, unless the loop has ended.
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
