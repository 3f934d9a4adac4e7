import Foundation

/// A clock whose time passes only when a test advances it.
///
/// ``run(timeout:_:)`` advances the clock whenever the code under test sleeps. For exact steps, wait until the code has armed a sleep, then
/// advance the clock:
///
/// ```swift
/// let clock = ManualClock()
/// async let answer = fetch(retryingAfter: .seconds(3), on: clock)
/// try await clock.nextSleep()       // now the code sleeps
/// clock.advance(by: .seconds(3))    // now it is awake
/// ```
///
/// Tasks in ``sleep(until:tolerance:)`` and callbacks passed to ``schedule(at:_:)`` are *armed* until they fire. They
/// fire in the order of their deadlines, and those with the same deadline in the order in which they were armed.
///
/// - Callbacks run on the thread that advances, synchronously and one at a time. During a callback, ``now`` is its
///   deadline, or later if the deadline had passed when it was scheduled. A callback may read the clock, schedule,
///   cancel and advance. A callback that it schedules within the current advance runs in the same call.
/// - Sleeping tasks are *resumed* in this order. Their executors decide which of two resumed tasks runs first, and
///   `advance` does not wait for them. If a task sleeps again, its delay starts at the time when it runs. To advance
///   through several sleeps of a task, use ``advanceToNextSleep()`` once for each.
///
/// Every member may be used from any thread.
public final class ManualClock: Clock, @unchecked Sendable {
  // Unchecked: `agenda` is used only while `lock` is held.
  private let lock = NSLock()
  private var agenda: Agenda

  /// Held while a thread advances, so that callbacks run one at a time; recursive, so that a callback can advance.
  private let advanceLock = NSRecursiveLock()

  /// Zero: the clock is exact to the attosecond.
  public var minimumResolution: Duration { .zero }

  public init(now: Instant = .zero) {
    agenda = Agenda(time: now)
  }

  /// The current time, which never decreases.
  public var now: Instant { lock.withLock { agenda.time } }

  /// The deadlines of sleeping tasks and scheduled callbacks, earliest first.
  public var armedDeadlines: [Instant] { lock.withLock { agenda.deadlines } }

  public var armedCount: Int { lock.withLock { agenda.entries.count } }

  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock's zero; negative before it.
    public var offset: Duration

    public static let zero = Instant(offset: .zero)

    public init(offset: Duration) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }

    public var description: String { offset.description }
  }

  /// Changes the agenda, and resumes the tasks that waited for the change.
  private func change<Result>(_ body: (inout Agenda) -> Result) -> Result {
    let (result, satisfied, deadlines) = lock.withLock {
      let result = body(&agenda)
      let satisfied = agenda.takeSatisfiedWatchers()
      return (result, satisfied, satisfied.isEmpty ? [] : agenda.deadlines)
    }
    for watcher in satisfied { watcher.resume(.success(deadlines)) }
    return result
  }
}

// MARK: - Sleeping and scheduling

extension ManualClock {
  /// Suspends the current task until the clock has been advanced to `deadline`.
  ///
  /// Returns at once if the deadline is not after ``now``.
  ///
  /// - Throws: `CancellationError`, at once, if the task is cancelled before or during the sleep.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
    try await suspend { ticket, sleeper in
      let isArmed = change { agenda in
        guard deadline > agenda.time else { return false }
        agenda.insert(
          Agenda.Entry(
            deadline: deadline, ticket: ticket, fire: { sleeper.resume(returning: .success(())) },
            cancel: { sleeper.resume(returning: .failure(CancellationError())) }))
        return true
      }
      if !isArmed { sleeper.resume(returning: .success(())) }
    }
  }

  /// Runs `body` once when the clock is advanced to `deadline`.
  ///
  /// The body runs on the thread that advances, never inside this call. If the deadline is not after ``now``, the body runs in the next
  /// advance, even an advance by zero.
  ///
  /// - Returns: A handle that can cancel the callback. Releasing it does not cancel.
  @discardableResult
  public func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> ScheduledCallback {
    let ticket = change { agenda in
      let ticket = agenda.newTicket()
      agenda.insert(Agenda.Entry(deadline: deadline, ticket: ticket, fire: body, cancel: {}))
      return ticket
    }
    return ScheduledCallback(clock: self, ticket: ticket, deadline: deadline)
  }

  /// Runs `body` once when the clock has been advanced by `delay` from ``now``.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCallback {
    schedule(at: now.advanced(by: delay), body)
  }

  /// A handle of a callback that is scheduled on a manual clock.
  public struct ScheduledCallback: Sendable {
    private let clock: ManualClock
    private let ticket: Int

    public let deadline: Instant

    init(clock: ManualClock, ticket: Int, deadline: Instant) {
      self.clock = clock
      self.ticket = ticket
      self.deadline = deadline
    }

    /// Cancels the callback, and returns whether this call prevented it.
    @discardableResult
    public func cancel() -> Bool { clock.cancel(ticket) }
  }

  private func suspend<Value>(
    _ register: (_ ticket: Int, CheckedContinuation<Result<Value, CancellationError>, Never>) -> Void
  ) async throws(CancellationError) -> Value {
    if Task.isCancelled { throw CancellationError() }
    let ticket = change { $0.newTicket() }
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        register(ticket, continuation)
        // A cancellation before the registration has cancelled nothing.
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
    return try end.get()
  }

  @discardableResult
  private func cancel(_ ticket: Int) -> Bool {
    guard let cancel = change({ $0.remove(ticket) }) else { return false }
    cancel()
    return true
  }
}

// MARK: - Advancing

extension ManualClock {
  /// Advances the clock by `duration`, and fires all sleeps and callbacks that become due.
  ///
  /// See ``advance(to:)`` for the guarantees.
  public func advance(by duration: Duration) {
    advanceLock.withLock { advance(to: now.advanced(by: duration)) }
  }

  /// Advances the clock to `instant`, and fires all sleeps and callbacks that become due.
  ///
  /// On return, every callback due by then has returned, and every task due by then has been resumed. An instant in the past does not
  /// change the time, but runs the callbacks that were scheduled for the past. Only one thread advances at a time, so a callback must not
  /// wait for another thread's advance.
  public func advance(to instant: Instant) {
    advanceLock.withLock {
      while let entry = change({ $0.beginFiring(through: instant) }) {
        entry.fire()
        change { $0.endFiring() }
      }
      change { $0.time = max($0.time, instant) }
    }
  }

  /// Advances to the earliest armed deadline, and fires everything due then.
  ///
  /// - Returns: The new time, or `nil` if nothing is armed.
  @discardableResult
  public func advanceToNextDeadline() -> Instant? {
    advanceLock.withLock {
      guard let deadline = armedDeadlines.first else { return nil }
      advance(to: deadline)
      return deadline
    }
  }
}

// MARK: - Waiting for the code under test

extension ManualClock {
  /// Runs an operation, and advances to the next deadline whenever something is armed, until the operation returns.
  ///
  /// ```swift
  /// let order = try await clock.run { try await order(retryingOn: clock).value() }
  /// ```
  ///
  /// The clock cannot see work that does not use it, such as a request to a real server, so a timeout of that work passes. Before each
  /// advance it gives other threads ten milliseconds of real time to arm an earlier deadline; on a very busy machine that can be too
  /// little. For exact control, use ``advanceToNextSleep()`` and ``advance(by:)``.
  ///
  /// - Parameters:
  ///   - timeout: The maximum *real* time.
  ///   - operation: Asynchronous work, which runs in a new task on the actor where it was created. It is cancelled if the waiting task is
  ///     cancelled or the timeout passes.
  /// - Throws: The error of the operation; ``UnfinishedError`` after the timeout; `CancellationError` if the waiting task is cancelled.
  public func run<Value: Sendable>(
    timeout: Duration = .seconds(30),
    @_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async throws -> Value
  ) async throws -> Value {
    let (results, end) = AsyncThrowingStream<Value, any Error>.makeStream()
    let tasks = [
      Task {
        do { end.yield(try await operation()) } catch { end.finish(throwing: error) }
      },
      Task {
        while (try? await nextSleep()) != nil {
          await settle()
          advanceToNextDeadline()
        }
      },
      Task {
        guard (try? await ContinuousClock().sleep(for: timeout)) != nil else { return }
        end.finish(throwing: UnfinishedError(timeout: timeout, time: now, armedDeadlines: armedDeadlines))
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for try await result in results { return result }
    throw CancellationError()
  }

  /// Lets other tasks and threads run until they have armed nothing for a while, because code with a timeout may arm an earlier deadline
  /// next.
  ///
  /// A thread that the system has paused may do so too, so this waits for ten milliseconds of real time.
  private func settle() async {
    var armed: [Instant]
    repeat {
      armed = armedDeadlines
      for _ in 0..<100 { await Task.yield() }
      try? await ContinuousClock().sleep(for: .milliseconds(10))
    } while armed != armedDeadlines
  }

  /// The error of ``run(timeout:_:)`` if the operation has not returned within the timeout.
  public struct UnfinishedError: Error, Hashable, CustomStringConvertible {
    /// The real time that the operation had.
    public let timeout: Duration

    /// The time of the manual clock.
    public let time: Instant

    /// What was armed at that time.
    public let armedDeadlines: [Instant]

    public var description: String {
      let reason =
        armedDeadlines.isEmpty
        ? "Nothing sleeps on this clock. Pass this clock to the code under test, and check what that code waits for."
        : "\(armedDeadlines.count) are still armed, the next at \(armedDeadlines[0]). Check what always sleeps again."
      return """
        Cannot run the manual clock: the operation has not returned within \(timeout) of real time. The clock has \
        advanced to \(time). \(reason) If the operation needs more time, raise the timeout.
        """
    }
  }

  /// Waits until a sleep or a callback is armed, and returns the earliest deadline, at once if one is already armed.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func nextSleep() async throws(CancellationError) -> Instant {
    try await sleeps(count: 1)[0]
  }

  /// Waits until at least `count` sleeps and callbacks are armed at the same time, and returns all armed deadlines, earliest first.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func sleeps(count: Int) async throws(CancellationError) -> [Instant] {
    try await deadlines { $0 >= count }
  }

  /// Waits until a sleep or a callback is armed, then advances to the earliest deadline and fires everything due.
  ///
  /// ```swift
  /// for _ in 1...3 { try await clock.advanceToNextSleep() }  // through three retries with any delays
  /// ```
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func advanceToNextSleep() async throws(CancellationError) -> Instant {
    while true {
      try await nextSleep()
      // The armed sleep may have been cancelled. Then wait for the next one.
      if let deadline = advanceToNextDeadline() { return deadline }
    }
  }

  /// Waits until no task sleeps on this clock and no callback is scheduled.
  ///
  /// It shows that a cancellation has removed its timers. First wait with ``sleeps(count:)`` until the timers are armed.
  ///
  /// ```swift
  /// try await clock.nextSleep()
  /// order.cancel()
  /// try await clock.idle()  // its timers were removed
  /// ```
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  public func idle() async throws(CancellationError) {
    _ = try await deadlines { $0 == 0 }
  }

  private func deadlines(
    when isSatisfied: @escaping (_ armedCount: Int) -> Bool
  ) async throws(CancellationError) -> [Instant] {
    try await suspend { ticket, continuation in
      change {
        $0.watch(
          Agenda.Watcher(ticket: ticket, isSatisfied: isSatisfied, resume: { continuation.resume(returning: $0) }))
      }
    }
  }
}
