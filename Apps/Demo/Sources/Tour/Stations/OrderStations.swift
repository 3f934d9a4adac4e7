internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingServer

extension Station {
  static let orderWithFaults = Station(
    title: "Order with faults", packages: ["OrderTaking", "Futures"],
    about: "Takes an order over HTTP and a push channel, from a server with simulated faults."
  ) { tour in
    let timeline = TourTimeline()
    let taking = try await withServer(tour, timeline) { server in
      server.inject(.serverError, .lostResponse, .refused)
      try await take(["take", "tour-1"], from: server, tour, timeline)
      return server.orders["tour-1"]?.taking
    }
    try tour.require(taking?.driver == driver, "The server did not give tour-1 to the driver of this tour.")
    let count = timeline.events.count { $0.channel == .server }
    try tour.require(count == 3, "Expected 3 simulated faults, got \(count).")
    return TourVisit(
      summary: "taken once over TLS, despite \(count) faults",
      exhibits: [.timeline("Timeline of the order", timeline.events)])
  }

  static let orderWithCrash = Station(
    title: "Order with a crash", packages: ["OrderTaking", "Futures"],
    about: "Kills the process that takes an order. The next process finishes the order from the journal."
  ) { tour in
    let timeline = TourTimeline()
    let journal = ["--journal", tour.folder.appending(path: "takings.sqlite").path]
    let victim = Process()
    let kill: @Sendable () -> Void = {
      timeline.note(TimelineEvent(.server, "received the PUT"))
      victim.endAtOnce()
    }
    let (first, last) = try await withServer(tour, timeline, onPut: kill) { server in
      try await take(["take", "tour-2"] + journal, from: server, tour, timeline, by: victim, status: SIGKILL)
      timeline.note(TimelineEvent(.crash, "killed (SIGKILL) while taking the order", kind: .failure))
      let first = server.orders["tour-2"]?.taking
      try await take(["resume"] + journal, from: server, tour, timeline)
      return (first, server.orders["tour-2"]?.taking)
    }
    try tour.require(first != nil, "The server has no record of tour-2 after the crash.")
    try tour.require(last?.key == first?.key, "The order was taken with another idempotency key.")
    try tour.require(last?.driver == driver, "The server did not give tour-2 to the driver of this tour.")
    return TourVisit(
      summary: "killed while taking; finished with the same idempotency key",
      exhibits: [.timeline("Timeline of the order", timeline.events)])
  }

  private static let driver: DriverID = "tour"
  private static let token = "tour-token"

  /// Runs `body` with an order server that uses TLS, and stops the server afterwards.
  private static func withServer<Value: Sendable>(
    _ tour: TourContext, _ timeline: TourTimeline,
    onPut: @escaping @Sendable () -> Void = {}, _ body: (OrderServer) async throws -> Value
  ) async throws -> Value {
    var configuration = OrderServer.Configuration(
      orders: [
        OfferedOrder("tour-1", details: #"{"id":"tour-1","parcels":2,"from":"Depot 2"}"#),
        // Long enough for the crash before the decision.
        OfferedOrder(
          "tour-2", details: #"{"id":"tour-2","parcels":3,"from":"Depot 3"}"#, decidedAfter: .milliseconds(500)),
      ],
      tokens: [token: driver], storage: .file(tour.folder.appending(path: "\(UUID()).sqlite").path))
    configuration.heartbeat = .seconds(1)
    configuration.tls = try TLSIdentity.selfSigned(in: tour.folder.path)
    let observer = Observer { event in
      if let noted = TimelineEvent(event), noted.kind == .failure { timeline.note(noted) }
      if case .request(let request) = event, request.route.hasPrefix("PUT") { onPut() }
    }
    return try await OrderServer.start(configuration, observer: observer).use(body)
  }

  /// Runs `demo order` in another process, adds its events to the timeline, and checks its exit code or signal.
  private static func take(
    _ words: [String], from server: OrderServer, _ tour: TourContext, _ timeline: TourTimeline,
    by process: Process = Process(), status: Int32 = 0
  ) async throws {
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments =
      ["order"] + words + [
        "--server", server.url.absoluteString, "--push", "127.0.0.1:\(server.pushPort)", "--token", token,
        "--ca", tour.folder.appending(path: "certificate.pem").path, "--timeout", "60", "--json",
      ]
    (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, output, output)
    try process.run()
    await withTaskCancellationHandler {
      for await line in output.fileHandleForReading.lines { timeline.note(line: line) }
      process.waitUntilExit()
    } onCancel: {
      process.endAtOnce()
    }
    try tour.require(
      process.terminationStatus == status,
      "'demo order \(words[0])' ended with \(process.terminationStatus): \(timeline.lastOutput)")
  }
}

extension Process {
  /// Kills a process that is running, like a crash.
  fileprivate func endAtOnce() {
    if isRunning { kill(processIdentifier, SIGKILL) }
  }
}

extension FileHandle {
  /// The lines of a pipe, as they arrive.
  fileprivate var lines: AsyncStream<String> {
    AsyncStream { line in
      Thread.detachNewThread {
        var rest = Data()
        while case let data = self.availableData, !data.isEmpty {
          rest += data
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line.yield(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
          }
        }
        line.finish()
      }
    }
  }
}

/// Collects the events of two processes and a server, with one clock.
final class TourTimeline: Sendable {
  private let start = ContinuousClock.now
  private let state = Locked<(events: [TimelineEvent], lastOutput: String)>(([], ""))

  var events: [TimelineEvent] { state.withLock { $0.events } }

  /// The last line of a process that was not an event.
  var lastOutput: String { state.withLock { $0.lastOutput } }

  func note(_ event: TimelineEvent) {
    state.withLock { state in
      var event = event
      event.at = start.duration(to: .now) / .seconds(1)
      state.events.append(event)
    }
  }

  /// Adds a line of `demo order --json`.
  func note(line: String) {
    guard let event = try? JSONDecoder().decode(TimelineEvent.self, from: Data(line.utf8)) else {
      return state.withLock { $0.lastOutput = line }
    }
    note(event)
  }
}
