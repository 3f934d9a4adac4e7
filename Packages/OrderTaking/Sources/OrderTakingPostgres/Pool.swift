internal import Foundation
internal import Futures

/// A few threads, each with a connection, that take statements from one queue.
///
/// `@unchecked Sendable`: `condition` guards the variables.
final class PostgresPool: @unchecked Sendable {
  private struct Job {
    let statement: Statement
    let parameters: [String?]
    let deadline: ContinuousClock.Instant
    let promise = Promise<[Row], PostgresError>()
  }

  private let configuration: PostgresConfiguration
  private let queue: DispatchQueue
  private let condition = NSCondition()
  private var jobs: ArraySlice<Job> = []
  private var threadCount = 0
  private var idleCount = 0
  private var isClosed = false

  init(_ configuration: PostgresConfiguration, completingOn queue: DispatchQueue) {
    (self.configuration, self.queue) = (configuration, queue)
  }

  func run(_ statement: Statement, _ parameters: [String?] = []) -> Future<[Row], PostgresError> {
    let job = Job(statement: statement, parameters: parameters, deadline: .now + configuration.statementTimeLimit)
    condition.lock()
    defer { condition.unlock() }
    guard !isClosed else {
      return Future(error: PostgresError(.notSent, message: "the connections are closed", advice: .openAgain))
    }
    jobs.append(job)
    condition.signal()
    if idleCount < jobs.count, threadCount < max(1, configuration.poolSize) {
      threadCount += 1
      startThread("postgres") { self.work() }
    }
    return job.promise.future
  }

  /// Ends the threads when the queue is empty.
  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }

  private func work() {
    let connection = PostgresConnection(configuration)
    while let job = next() {
      let result = perform(job, on: connection)
      queue.async { job.promise.complete(result) }
    }
  }

  private func next() -> Job? {
    condition.lock()
    defer { condition.unlock() }
    idleCount += 1
    while jobs.isEmpty, !isClosed { condition.wait() }
    idleCount -= 1
    return jobs.popFirst()
  }

  private func perform(_ job: Job, on connection: PostgresConnection) -> Result<[Row], PostgresError> {
    var failure = PostgresError(.notSent, message: "no connection was free in time", advice: .checkLoad)
    var attempts = 0
    while ContinuousClock.now < job.deadline {
      do throws(PostgresError) {
        if !connection.isOpen {
          try connection.open()
          // It may have taken all the time.
          continue
        }
        return .success(try connection.run(job.statement.sql, job.parameters, until: job.deadline))
      } catch {
        failure = error
        attempts += 1
        let mayRepeat =
          switch error.effect {
          case .notSent: error.isTransient
          case .refused: error.hasConflict && attempts < 5
          case .unknown: job.statement.isRepeatable
          }
        guard mayRepeat else { break }
        // Only this thread of the pool waits; other statements are in the queue.
        Thread.sleep(forTimeInterval: pause(after: attempts))
      }
    }
    return .failure(failure)
  }
}

/// A thread that waits for notifications, with a connection.
///
/// `@unchecked Sendable`: `lock` guards `isClosed`, and the other variables are constants.
final class NotificationListener: @unchecked Sendable {
  private let configuration: PostgresConfiguration
  private let received: @Sendable (String?) -> Void
  private let pipe = Pipe()
  private let lock = NSLock()
  private var isClosed = false

  /// Starts the thread.
  ///
  /// `received` is called with each payload, and with `nil` after each connection, because notifications can have been lost.
  init(_ configuration: PostgresConfiguration, received: @escaping @Sendable (String?) -> Void) {
    (self.configuration, self.received) = (configuration, received)
    startThread("postgres notifications") { self.work() }
  }

  func close() {
    lock.withLock { isClosed = true }
    try? pipe.fileHandleForWriting.write(contentsOf: [0])
  }

  private func work() {
    let connection = PostgresConnection(configuration)
    var attempts = 0
    while !lock.withLock({ isClosed }) {
      do throws(PostgresError) {
        if !connection.isOpen { try connection.open() }
        _ = try connection.run(
          Statement.listen.sql, [], until: .now + configuration.statementTimeLimit)
        attempts = 0
        received(nil)
        while !lock.withLock({ isClosed }) {
          for payload in try connection.notifications(orInputOf: pipe.fileHandleForReading.fileDescriptor) {
            received(payload)
          }
        }
      } catch {
        attempts += 1
        var wait = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, Int32(pause(after: attempts) * 1_000))
      }
    }
  }
}

/// Returns seconds: 0.05 after the first failure, and twice as long after each further one, up to 3.2, with a jitter.
private func pause(after failures: Int) -> Double {
  0.05 * Double(1 << min(failures - 1, 6)) * Double.random(in: 0.5...1)
}

func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
  let thread = Thread {
    // `PQcancel` sends without protection against this signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    body()
  }
  thread.name = name
  thread.start()
}
