internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTakingServer
internal import OrderTakingServerPostgres
internal import Terminal

/// `demo order serve`: runs the server until a signal.
struct ServeCommand {
  private let options: ServeOptions
  private let timeline: Timeline

  init(_ options: ServeOptions, _ timeline: Timeline) {
    self.options = options
    self.timeline = timeline
  }

  func run() async throws -> ExitCode {
    var configuration = EmbeddedServer.configuration(
      token: options.token, orders: options.orders, faults: options.faults, seed: options.seed)
    configuration.port = options.port.number
    configuration.pushPort = options.pushPort.number
    configuration.tls = options.tls
    configuration.tokenLimit = RateLimit(perSecond: 500, burst: 1_000)
    configuration.addressLimit = RateLimit(perSecond: 1_000, burst: 2_000)
    let (interrupts, interrupt) = AsyncStream.makeStream(of: Void.self)
    // The time limit ends the process even if a slow reader blocks the output.
    let watch = Interrupt(within: Interrupt.outputTimeLimit) { interrupt.finish() }
    defer { withExtendedLifetime(watch) {} }
    let (log, isQuiet) = (ServerLog(timeline), options.quiet)
    let server = try await OrderServer.start(
      configuration, store: try await store(),
      log: { if !isQuiet || $0.isFailure { log.show(TimelineEntry(seenByServer: $0)) } },
      audit: try options.auditLog.map { try .file(at: $0.path) })
    do throws(TerminalError) {
      try timeline.announce(
        TimelineEntry(
          "server",
          "listening: --server \(server.url.absoluteString) --push 127.0.0.1:\(server.pushPort); press Ctrl-C to stop"))
    } catch {
      // Without the address, a client cannot connect.
      await server.stop(grace: .zero)
      throw error
    }
    for await _ in interrupts {}
    if !isQuiet { log.show(TimelineEntry("server", "stopping")) }
    await server.stop()
    await log.finish()
    return ExitReason.interrupted.exitCode
  }

  private func store() async throws -> OrderStore {
    if let database = options.database { return try await PostgresOrderStore.open(database).get() }
    guard let path = options.state?.path else { return .inMemory() }
    do { return try .sqlite(at: path) } catch {
      guard error.description.contains("it is an order journal") else { throw error }
      throw OrderError(
        kind: .journal, description: "\(error) A journal belongs to the option --journal of 'demo order take'.")
    }
  }
}

extension OrderServerEvent {
  /// Whether the event is a failure of the server itself.
  fileprivate var isFailure: Bool {
    switch self {
    case .storingFailed, .auditFailed, .acceptingFailed: true
    case .request, .pushConnected, .pushClosed, .pushed, .restarted: false
    }
  }
}

extension TimelineEntry {
  init(seenByServer event: OrderServerEvent) {
    switch event {
    case .request(let method, let path, let driver, let status, let fault):
      let end = status.map { "\($0)" } ?? "no response"
      self.init(
        "http", "\(method) \(path) by \(driver ?? "unknown driver"): \(end)" + (fault == .none ? "" : " (fault)"))
    case .pushConnected(let connection): self.init("push", "connection \(connection) opened")
    case .pushClosed(let connection, let driver, let reason):
      self.init("push", "connection \(connection) of \(driver ?? "unknown driver") closed: \(reason)")
    case .pushed(let push, let connection, let fault):
      self.init(
        "push",
        "push \(push.cursor) of \(push.order) to \(push.driver), connection \(connection)"
          + (fault.map { " (fault: \($0))" } ?? ""))
    case .storingFailed(let error): self.init("store", "\(error)")
    case .auditFailed(let error): self.init("audit", "\(error)")
    case .acceptingFailed(let error): self.init("server", error)
    case .restarted: self.init("server", "restarted")
    }
  }
}
