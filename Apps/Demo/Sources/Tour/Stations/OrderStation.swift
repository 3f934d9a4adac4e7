internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingServer

extension TourContext {
  /// Takes an order from a server whose first responses are a 503, a lost response and a reset.
  func order() async throws -> TourVisit {
    let timeline = TourTimeline()
    var script = ServerFaults()
    script.script = [.status(503), .answerLost, .reset]
    let (server, status) = try await with(faults: script, timeline) { server in
      (server, try await take(["take", "tour-1"], from: server, timeline))
    }
    try require(status == 0, "'demo order take' exited with \(status): \(timeline.lastOutput)")
    let taking = server.orders["tour-1"]?.taking
    try require(taking?.driver == "tour", "The server did not give tour-1 to the driver of this tour.")
    let marks = timeline.marks
    let faults = marks.filter { $0.lane == "server" }.count
    try require(faults == 3, "Expected 3 simulated faults, got \(faults).")
    return TourVisit(
      summary: "taken once over TLS, despite \(faults) faults",
      exhibits: [.timeline("Timeline of the order", marks)])
  }

  /// Kills a process while it takes an order, and resumes the order with the same idempotency key.
  func crash() async throws -> TourVisit {
    let timeline = TourTimeline()
    let journal = folder.appending(path: "takings.sqlite").path
    let (trap, timers) = (Trap(), HeldTimers())
    let heard: @Sendable () -> Void = {
      timeline.note("server", "received the PUT")
      trap.spring()
    }
    let server = try await with(faults: .none, timeline, timers.timers, onPut: heard) { server in
      // Also after an error, because stopping the server uses these timers.
      defer { timers.release() }
      let status = try await take(
        ["take", "tour-2", "--journal", journal], from: server, timeline, onStart: trap.arm)
      try require(status == -9, "Expected a killed process, but it exited with \(status): \(timeline.lastOutput)")
      let key = server.orders["tour-2"]?.taking?.key
      try require(key != nil, "The server has no record of tour-2 after the crash.")
      timeline.note("crash", "killed (SIGKILL) while taking the order", .failure)
      timers.release()
      let resumed = try await take(["resume", "--journal", journal], from: server, timeline)
      try require(resumed == 0, "'demo order resume' exited with \(resumed): \(timeline.lastOutput)")
      try require(
        server.orders["tour-2"]?.taking?.key == key, "The order was taken with another idempotency key.")
      return server
    }
    try require(
      server.orders["tour-2"]?.taking?.driver == "tour", "The server did not give tour-2 to the driver of this tour.")
    return TourVisit(
      summary: "killed while taking; finished with the same idempotency key",
      exhibits: [.timeline("Timeline of the order", timeline.marks)])
  }

  /// Runs `body` with an order server that uses TLS and stores its orders in a file, and stops the server afterwards.
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
    configuration.tls = try TLSIdentity.selfSigned(in: folder.path)
    let store = try OrderStore.sqlite(at: folder.appending(path: "\(UUID()).sqlite").path)
    let server = try await OrderServer.start(configuration, store: store, timers: timers) { event in
      let noted = TimelineEvent(event)
      if noted.kind == .failure { timeline.note(noted) }
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

  /// Runs `demo order` in a child process and collects its events.
  ///
  /// - Returns: The exit code, or the negated number of the signal that ended the process.
  private func take(
    _ words: [String], from server: OrderServer, _ timeline: TourTimeline,
    onStart: @Sendable (Process) -> Void = { _ in }
  ) async throws -> Int32 {
    let (child, output) = (Process(), Pipe())
    child.executableURL = Bundle.main.executableURL
    child.arguments =
      ["order"] + words + [
        "--server", server.url.absoluteString, "--push", "127.0.0.1:\(server.pushPort)", "--token", Self.token,
        "--ca", folder.appending(path: "certificate.pem").path,
        // Long, for slow machines.
        "--timeout", "120", "--json",
      ]
    (child.standardInput, child.standardOutput, child.standardError) = (FileHandle.nullDevice, output, output)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    child.terminationHandler = { _ in end.finish() }
    try child.run()
    onStart(child)
    return await withTaskCancellationHandler {
      await uncancelled {
        for await line in Self.lines(of: output.fileHandleForReading) { timeline.note(line: line) }
        for await _ in ends {}
        return child.terminationReason == .uncaughtSignal ? -child.terminationStatus : child.terminationStatus
      }
    } onCancel: {
      kill(child.processIdentifier, SIGKILL)
    }
  }

  private static func lines(of file: FileHandle) -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        var rest = Data()
        while case let data = file.availableData, !data.isEmpty {
          rest += data
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
          }
        }
        lines.finish()
      }
    }
  }
}

/// Kills a child process at an event, also when the event comes before the process is known.
private final class Trap: Sendable {
  private let state = Locked<(victim: Process?, hasSprung: Bool)>((nil, false))

  @Sendable func arm(_ child: Process) { killIfDue { $0.victim = child } }

  @Sendable func spring() { killIfDue { $0.hasSprung = true } }

  private func killIfDue(_ change: (inout (victim: Process?, hasSprung: Bool)) -> Void) {
    state.withLock { state in
      change(&state)
      if state.hasSprung, let victim = state.victim, victim.isRunning { kill(victim.processIdentifier, SIGKILL) }
    }
  }
}

/// Timers that start when they are released, so that the server decides nothing before.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
private final class HeldTimers: @unchecked Sendable {
  private let lock = NSLock()
  private let running = Timers.dispatch()
  private var isReleased = false
  private var held: [(delay: Duration, callback: @Sendable () -> Void)] = []

  /// The timers for the server, which never cancels one.
  var timers: Timers {
    Timers(
      schedule: { delay, callback in
        guard self.hold(delay, callback) else { return self.running.schedule(delay, callback) }
        return {}
      }, now: running.now)
  }

  /// Stores a callback, unless the timers are released.
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
