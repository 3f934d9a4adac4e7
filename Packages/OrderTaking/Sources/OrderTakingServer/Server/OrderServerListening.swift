internal import Loopback

actor OrderServerListening {
  private let core: OrderServerCore
  private var http: HTTPServer?
  private var push: LineServer?
  private var ports = (http: 0, push: 0)
  private var hasStopped = false
  /// Whether a restart must no longer wait for its port.
  private var isStopWanted = false
  private var last: Task<Void, Never>?

  init(_ core: OrderServerCore) {
    self.core = core
  }

  func start() async throws(LoopbackError) -> (http: Int, push: Int) {
    let configuration = core.configuration
    let http = try await startHTTP(port: configuration.port)
    let push: LineServer
    do { push = try await startPush(port: configuration.pushPort) } catch {
      // The next start can then use this port.
      await http.stop(grace: .zero)
      throw error
    }
    (self.http, self.push) = (http, push)
    ports = (http.port, push.port)
    return ports
  }

  private func startHTTP(port: Int) async throws(LoopbackError) -> HTTPServer {
    try await HTTPServer.start(core.router, port: port, tls: core.configuration.tls)
  }

  private func startPush(port: Int) async throws(LoopbackError) -> LineServer {
    try await LineServer.start(core.beginGeneration(), port: port, tls: core.configuration.tls)
  }

  func restart() async {
    await inOrder { await $0.restartNow() }
  }

  func stop(grace: Duration) async {
    isStopWanted = true
    await inOrder { await $0.end(grace: grace) }
  }

  /// Runs a step after all earlier steps, because an actor runs other calls while a step waits.
  private func inOrder(_ step: @escaping @Sendable (OrderServerListening) async -> Void) async {
    let before = last
    let task = Task {
      await before?.value
      await step(self)
    }
    last = task
    await task.value
  }

  private func restartNow() async {
    guard !isStopWanted else { return }
    await http?.stop(grace: .zero)
    await push?.stop(grace: .zero)
    (http, push) = (nil, nil)
    await core.reload()
    // Another program can briefly use a port that was just freed.
    while !isStopWanted {
      do {
        http = try await startHTTP(port: ports.http)
        break
      } catch { await core.pause(.milliseconds(20)) }
    }
    while !isStopWanted {
      do {
        push = try await startPush(port: ports.push)
        break
      } catch { await core.pause(.milliseconds(20)) }
    }
    core.restarted()
  }

  private func end(grace: Duration) async {
    guard !hasStopped else { return }
    hasStopped = true
    core.stopping()
    await http?.stop(grace: grace)
    await push?.stop(grace: grace)
    (http, push) = (nil, nil)
    await core.end()
  }
}
