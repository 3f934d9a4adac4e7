internal import Loopback

/// The two listeners, and how they come and go: one step at a time.
actor OrderServerListening {
  private let core: OrderServerCore
  private var http: HTTPServer?
  private var push: LineServer?
  private var ports = (http: 0, push: 0)
  private var hasStopped = false
  /// Ends a start that waits for its port.
  private var isStopWanted = false
  private var last: Task<Void, Never>?

  init(_ core: OrderServerCore) {
    self.core = core
  }

  func start() async throws(LoopbackError) -> (http: Int, push: Int) {
    let configuration = core.configuration
    let http = try await HTTPServer.start(core.router, limits: configuration.limits, port: configuration.port)
    let push: LineServer
    do {
      push = try await LineServer.start(
        core.beginGeneration(), limits: configuration.pushLimits, port: configuration.pushPort)
    } catch {
      // Whoever tries again at once gets the port, and what the store holds.
      await http.stop(grace: .zero)
      throw error
    }
    (self.http, self.push) = (http, push)
    ports = (http.port, push.port)
    return ports
  }

  func restart() async {
    await inTurn { await $0.startAnew() }
  }

  func stop(grace: Duration) async {
    isStopWanted = true
    await inTurn { await $0.end(grace: grace) }
  }

  /// Actors let others in while they wait; steps must not.
  private func inTurn(_ step: @escaping @Sendable (OrderServerListening) async -> Void) async {
    let before = last
    let task = Task {
      await before?.value
      await step(self)
    }
    last = task
    await task.value
  }

  private func startAnew() async {
    guard !isStopWanted else { return }
    await http?.stop(grace: .zero)
    await push?.stop(grace: .zero)
    (http, push) = (nil, nil)
    core.reload()
    // The ports were free a moment ago; somebody may have one for a moment.
    while !isStopWanted {
      do {
        http = try await HTTPServer.start(core.router, limits: core.configuration.limits, port: ports.http)
        break
      } catch { await core.pause(.milliseconds(20)) }
    }
    while !isStopWanted {
      do {
        push = try await LineServer.start(
          core.beginGeneration(), limits: core.configuration.pushLimits, port: ports.push)
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
    core.end()
  }
}
