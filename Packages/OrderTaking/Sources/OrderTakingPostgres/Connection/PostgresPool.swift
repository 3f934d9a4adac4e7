internal import Foundation
package import Futures

/// `@unchecked Sendable`: `lock` guards `inbox`.
///
/// Only the thread uses the other variables.
package final class PostgresPool: @unchecked Sendable {
  private struct Inbox {
    var jobs: [PostgresJob] = []
    var isClosed = false
    var isRunning = false
  }

  private let configuration: PostgresConfiguration
  private let malformation: String?
  private let channel: String?
  private let received: @Sendable (String?) -> Void
  private let pipe = WakeUpPipe()
  private let lock = NSLock()
  private var inbox = Inbox()

  private var connections: [PostgresConnection] = []
  private var listener: PostgresConnection?
  /// The statements that wait for a connection, the next one at `firstWaiting`.
  private var waiting: [PostgresJob] = []
  private var firstWaiting = 0
  private var retry = ConnectRetry()
  private let hosts: PostgresHosts
  private var firstHost = 0
  private var isClosed = false
  /// The time of the current round; all decisions of a round use it.
  private var now = ContinuousClock.now

  /// `received` is called on the thread with the payload of each notification.
  ///
  /// After a reconnection it is called with `nil`, because notifications can be lost.
  package init(
    _ configuration: PostgresConfiguration, channel: String? = nil,
    received: @escaping @Sendable (String?) -> Void = { _ in }
  ) {
    self.configuration = configuration
    malformation = configuration.malformation
    hosts = PostgresHosts(configuration)
    self.channel = channel
    self.received = received
  }

  // MARK: From any thread

  /// A statement that the server has ended because of a deadlock runs again, at most twice.
  package func run(_ statement: Statement, _ parameters: [Parameter] = []) -> Future<[Row], PostgresError> {
    run(statement, parameters, attempts: 3)
  }

  private func run(
    _ statement: Statement, _ parameters: [Parameter], attempts: Int
  ) -> Future<[Row], PostgresError> {
    runOnce(statement, parameters).recoverWith(immediateExecutionContext) { error in
      error.isDeadlock && attempts > 1
        ? self.run(statement, parameters, attempts: attempts - 1) : Future(error: error)
    }
  }

  private func runOnce(_ statement: Statement, _ parameters: [Parameter]) -> Future<[Row], PostgresError> {
    if let malformation { return Future(error: PostgresError(effect: .notSent, message: malformation)) }
    let job = PostgresJob(statement, parameters, deadline: .now + configuration.statementTimeLimit)
    let isAccepted = post { inbox in
      if !inbox.isClosed { inbox.jobs.append(job) }
      return !inbox.isClosed
    }
    if !isAccepted { job.complete(.failure(PostgresError(effect: .notSent, message: "the connections are closed"))) }
    return job.future
  }

  package func close() {
    post { $0.isClosed = true }
  }

  private func post<Value>(_ change: (inout Inbox) -> Value) -> Value {
    let (value, isFirst) = lock.withLock {
      let value = change(&inbox)
      defer { inbox.isRunning = true }
      return (value, !inbox.isRunning)
    }
    if isFirst {
      let thread = Thread { self.run() }
      thread.name = "postgres"
      thread.start()
    } else {
      pipe.wakeUp()
    }
    return value
  }

  // MARK: On the thread

  private func run() {
    while receive() {
      now = .now
      endLate()
      for connection in connections { note(connection) }
      connections.removeAll { $0.reason != nil }
      listen()
      startWaiting()
      wait()
    }
    (connections, listener) = ([], nil)
  }

  private func receive() -> Bool {
    let news = lock.withLock {
      defer { inbox.jobs = [] }
      return inbox
    }
    waiting += news.jobs
    isClosed = news.isClosed
    return !isClosed || firstWaiting < waiting.count || connections.contains { !$0.isIdle && !$0.isConnecting }
  }

  private func endLate() {
    for connection in connections + [listener].compactMap(\.self) {
      guard let deadline = connection.deadline, deadline <= now else { continue }
      connection.expire()
    }
    // They wait in the order of their deadlines.
    while firstWaiting < waiting.count, waiting[firstWaiting].deadline <= now {
      let message = retry.reason ?? "no connection was free in time"
      next()?.complete(.failure(PostgresError(effect: .notSent, message: message)))
    }
  }

  private func next() -> PostgresJob? {
    guard firstWaiting < waiting.count else { return nil }
    defer {
      firstWaiting += 1
      if firstWaiting == waiting.count { (waiting, firstWaiting) = ([], 0) }
    }
    return waiting[firstWaiting]
  }

  private func note(_ connection: PostgresConnection) {
    if connection.isSilent, connection.firstHost == firstHost { firstHost = (firstHost + 1) % hosts.count }
    if let reason = connection.reason, !connection.wasConnected { retry.fail(reason) }
  }

  private func startWaiting() {
    for connection in connections where connection.isIdle {
      guard let job = next() else { return }
      connection.start(job)
    }
    let connecting = connections.count { $0.isConnecting }
    // While the server has not confirmed a cancellation, a single additional connection keeps the pool usable.
    let size = max(1, configuration.poolSize) + (connections.contains { $0.isCancelling } ? 1 : 0)
    let missing = min(waiting.count - firstWaiting - connecting, size - connections.count)
    // After a failure, a single connection finds out whether the server is back.
    guard missing > 0, retry.isDue(at: now), retry.reason == nil || connecting == 0 else { return }
    for _ in 0..<(retry.reason == nil ? missing : 1) {
      guard let connection = newConnection() else { return retry.fail("libpq has no memory") }
      connections.append(connection)
    }
  }

  private func newConnection() -> PostgresConnection? {
    PostgresConnection(configuration, hosts, from: firstHost)
  }

  private func listen() {
    guard let channel, !isClosed else { return }
    if let listener {
      note(listener)
      if listener.reason != nil { self.listener = nil }
      return
    }
    guard retry.isDue(at: now), let connection = newConnection() else { return }
    listener = connection
    let job = PostgresJob(Statement(name: "", sql: "LISTEN \(channel)"), [], deadline: .now)
    connection.startWhenConnected(job)
    job.future.onSuccess(immediateExecutionContext) { [received] _ in received(nil) }
  }

  private func wait() {
    let all = connections + [listener].compactMap(\.self)
    var waits = all.map(\.wait) + [pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0)]
    guard poll(&waits, nfds_t(waits.count), timeout(all)) > 0 else { return }
    for (connection, wait) in zip(all, waits) where wait.revents != 0 {
      let wasConnecting = connection.isConnecting
      for payload in connection.advance() { received(payload) }
      if wasConnecting, !connection.isConnecting, connection.reason == nil { retry = ConnectRetry() }
    }
    if waits[all.count].revents != 0 { pipe.drain() }
  }

  private func timeout(_ all: [PostgresConnection]) -> Int32 {
    if all.contains(where: { $0.reason != nil }) { return 0 }
    var deadlines = all.compactMap(\.deadline)
    if firstWaiting < waiting.count { deadlines.append(waiting[firstWaiting].deadline) }
    // If an attempt is already due, it waits for the running attempt, which has a deadline.
    if let due = retry.due, due > now { deadlines.append(due) }
    // Without a pipe, the thread looks at its inbox every 20 milliseconds.
    let limit: Int32 = pipe.reader < 0 ? 20 : -1
    guard let first = deadlines.min() else { return limit }
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: first).components
    let milliseconds = seconds > 1_000_000 ? 1_000_000_000 : seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
    return Int32(clamping: max(0, limit < 0 ? milliseconds : min(milliseconds, Int64(limit))))
  }
}

private struct ConnectRetry {
  private(set) var reason: String?
  private(set) var due: ContinuousClock.Instant?
  private var failureCount = 0

  func isDue(at now: ContinuousClock.Instant) -> Bool { due.map { $0 <= now } ?? true }

  /// Waits 50 milliseconds after the first failure, and twice as long after each further one, up to 3.2 seconds, with a jitter.
  mutating func fail(_ reason: String) {
    self.reason = reason
    let delay = Duration.milliseconds(50 << min(failureCount, 6))
    failureCount += 1
    due = .now + delay * Double.random(in: 0.5...1)
  }
}
