internal import Foundation
internal import OrderTaking
internal import OrderTakingServer

extension TourWorld {
  /// An order from a server whose first answers are a status, a silence and a reset.
  func order() async throws -> TourVisit {
    let timeline = TourTimeline()
    let script = try ServerFaults("script=503/lost/reset")
    let (server, status) = try await with(faults: script, timeline) { server in
      (server, try await take(["take", "tour-1"], from: server, timeline))
    }
    try require(status == 0, "'demo order take' ended with \(status): \(timeline.lastWords)")
    let taking = server.book["tour-1"]?.taking
    try require(taking?.driver == "tour", "The server should have given tour-1 to us.")
    let marks = timeline.marks
    let faults = marks.filter { $0.lane == "server" }.count
    try require(faults == 3, "3 requests should have failed on purpose, and \(faults) did.")
    return TourVisit(
      summary: "taken once, in spite of \(faults) faults",
      exhibits: [.timeline("What happened to the order", marks)])
  }

  /// A process that is killed when the server has its order, and the one that goes on under the same key.
  func crash() async throws -> TourVisit {
    let timeline = TourTimeline()
    let journal = folder.appending(path: "takings.sqlite").path
    let (trap, timers) = (Trap(), HeldTimers())
    let heard: @Sendable () -> Void = {
      timeline.note("server", "has heard the PUT")
      trap.spring()
    }
    let server = try await with(faults: .none, timeline, timers.timers, onPut: heard) { server in
      // However this ends: the server's own end is timed, too.
      defer { timers.release() }
      let status = try await take(
        ["take", "tour-2", "--journal", journal], from: server, timeline, onStart: trap.arm)
      try require(status == -9, "The process should have been killed, and ended with \(status): \(timeline.lastWords)")
      let key = server.book["tour-2"]?.taking?.key
      try require(key != nil, "The server should know the order that was under way.")
      timeline.note("crash", "killed (SIGKILL), with the order under way")
      timers.release()
      let resumed = try await take(["resume", "--journal", journal], from: server, timeline)
      try require(resumed == 0, "'demo order resume' ended with \(resumed): \(timeline.lastWords)")
      try require(
        server.book["tour-2"]?.taking?.key == key, "The order should be taken under the key of the first process.")
      return server
    }
    try require(server.book["tour-2"]?.taking?.driver == "tour", "The server should have given tour-2 to us.")
    return TourVisit(
      summary: "killed with the order under way; finished under the same key",
      exhibits: [.timeline("What happened to the order", timeline.marks)])
  }

  /// Runs the body with an order server on files, which has stopped when this returns.
  private func with<Value: Sendable>(
    faults: ServerFaults, _ timeline: TourTimeline, _ timers: Timers = .dispatch(),
    onPut: @escaping @Sendable () -> Void = {},
    _ body: (OrderServer) async throws -> Value
  ) async throws -> Value {
    var configuration = OrderServer.Configuration(
      offers: [
        OfferedOrder("tour-1", details: #"{"id":"tour-1","parcels":2,"from":"Depot 2"}"#),
        OfferedOrder(
          "tour-2", details: #"{"id":"tour-2","parcels":3,"from":"Depot 3"}"#, decidedAfter: .milliseconds(300)),
      ],
      credentials: OrderTakingServer.Credentials([Self.token: "tour"]), faults: faults, seed: seed)
    configuration.heartbeat = .seconds(1)
    let store = try OrderStore.sqlite(at: folder.appending(path: "\(UUID()).sqlite").path)
    let server = try await OrderServer.start(configuration, store: store, timers: timers) { event in
      if let entry = TimelineEntry(event) { timeline.note(entry.channel, entry.text) }
      if case .request("PUT", _, _, _, _) = event { onPut() }
    }
    do {
      let value = try await body(server)
      await server.stop(grace: .zero)
      return value
    } catch {
      await server.stop(grace: .zero)
      throw error
    }
  }

  private static var token: String { "tour-token" }

  /// Runs `demo order` in a process of its own, and notes what it tells.
  private func take(
    _ words: [String], from server: OrderServer, _ timeline: TourTimeline,
    onStart: @Sendable (ChildProcess) -> Void = { _ in }
  ) async throws -> Int32 {
    let child = try ChildProcess(
      ["order"] + words + [
        "--server", server.url.absoluteString, "--push", "127.0.0.1:\(server.pushPort)", "--token", Self.token,
        // However busy this machine is.
        "--timeout", "120", "--json",
      ])
    onStart(child)
    return await withTaskCancellationHandler {
      for await line in child.lines { timeline.note(line: line) }
      // A cancelled wait for lines ends before the process does.
      if Task.isCancelled { child.kill() }
      return await child.status()
    } onCancel: {
      child.kill()
    }
  }
}

/// Kills a process when something happens, which may be before the process is known here.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
private final class Trap: @unchecked Sendable {
  private let lock = NSLock()
  private var victim: ChildProcess?
  private var hasSprung = false

  func arm(_ child: ChildProcess) {
    let isLate = lock.withLock {
      victim = child
      return hasSprung
    }
    if isLate { child.kill() }
  }

  func spring() {
    let victim = lock.withLock {
      hasSprung = true
      return self.victim
    }
    victim?.kill()
  }
}

/// Timers that begin to run when they are released: nothing is decided before, however long that takes.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
private final class HeldTimers: @unchecked Sendable {
  private let lock = NSLock()
  private let running = Timers.dispatch()
  private var isReleased = false
  private var held: [(delay: Duration, callback: @Sendable () -> Void)] = []

  /// What the server is given, which calls none of them off.
  var timers: Timers {
    Timers(
      schedule: { delay, callback in
        guard self.hold(delay, callback) else { return self.running.schedule(delay, callback) }
        return {}
      }, now: running.now)
  }

  /// Keeps a callback, unless there is nothing to wait for any more.
  private func hold(_ delay: Duration, _ callback: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock {
      if !isReleased { held.append((delay, callback)) }
      return !isReleased
    }
  }

  func release() {
    let held = lock.withLock {
      isReleased = true
      defer { self.held = [] }
      return self.held
    }
    for timer in held { _ = running.schedule(timer.delay, timer.callback) }
  }
}
