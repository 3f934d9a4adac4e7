import Foundation

/// A clock whose time passes only when a test advances it.
///
/// Pass it to the code under test, wait until that code has armed a sleep, then advance the clock:
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
/// The clock does not poll or use real time. Every member may be used from any thread. Arming and cancelling take time
/// proportional to the number of armed entries.
public final class ManualClock: Clock, @unchecked Sendable {
  // Unchecked: `agenda`, `watchers` and `time` are read and written only while `lock` is held.
  private let lock = NSLock()
  private var agenda = Agenda()
  private var watchers: [Watcher] = []
  private var time: Instant

  /// Held while a thread advances, so that callbacks run one at a time; recursive, so that a callback can advance.
  private let advanceLock = NSRecursiveLock()

  /// Zero: the clock is exact to the attosecond.
  public var minimumResolution: Duration { .zero }

  public init(now: Instant = .zero) {
    self.time = now
  }

  /// The current time, which never decreases.
  public var now: Instant { lock.withLock { time } }

  /// The deadlines of sleeping tasks and scheduled callbacks, earliest first.
  public var armedDeadlines: [Instant] { lock.withLock { agenda.deadlines } }

  public var armedCount: Int { lock.withLock { agenda.count } }
}

// MARK: - Sleeping and scheduling

extension ManualClock {
  /// Suspends the current task until the clock has been advanced to `deadline`.
  ///
  /// Returns at once if the deadline is not after ``now``.
  ///
  /// - Throws: `CancellationError`, at once, if the task is cancelled before or during the sleep.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    let ticket = lock.withLock { agenda.newTicket() }
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { (sleeper: Continuation<Void>) in
        guard armSleep(until: deadline, ticket: ticket, sleeper) else { return sleeper.resume(returning: .success(())) }
        // A cancellation before the arming has disarmed nothing.
        if Task.isCancelled { disarm(ticket) }
      }
    } onCancel: {
      disarm(ticket)
    }
    try end.get()
  }

  /// Runs `body` once when the clock is advanced to `deadline`.
  ///
  /// The body runs on the thread that advances, never inside this call. If the deadline is not after ``now``, the body
  /// runs in the next advance, even an advance by zero. A body that always schedules another one for the same instant
  /// prevents that advance from returning.
  ///
  /// - Returns: A handle that can cancel the callback. Releasing it does not cancel.
  @discardableResult
  public func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> ScheduledCallback {
    let ticket = lock.withLock { agenda.newTicket() }
    arm(Agenda.Entry(deadline: deadline, ticket: ticket, fire: body, cancel: {}))
    return ScheduledCallback(clock: self, ticket: ticket, deadline: deadline)
  }

  /// Runs `body` once when the clock has been advanced by `delay` from ``now``.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCallback {
    schedule(at: now.advanced(by: delay), body)
  }
}

// MARK: - Advancing

extension ManualClock {
  /// Advances the clock by `duration`, and fires all sleeps and callbacks that become due.
  ///
  /// A negative duration does not change the time. See ``advance(to:)`` for the guarantees.
  public func advance(by duration: Duration) {
    advanceLock.withLock { advance(to: now.advanced(by: duration)) }
  }

  /// Advances the clock to `instant`, and fires all sleeps and callbacks that become due.
  ///
  /// On return, the time is `instant` or later, every callback due by then has returned, and every task due by then has
  /// been resumed. An instant in the past does not change the time, but runs the callbacks that were scheduled for the
  /// past. Only one thread advances at a time, so a callback must not wait for another thread's advance.
  public func advance(to instant: Instant) {
    advanceLock.withLock {
      while fireNext(through: instant) != nil {}
      lock.withLock { time = max(time, instant) }
    }
  }

  /// Advances to the earliest armed deadline, and fires everything due then.
  ///
  /// - Returns: The new time, or `nil` if nothing is armed.
  @discardableResult
  public func advanceToNextDeadline() -> Instant? {
    advanceLock.withLock {
      guard let deadline = lock.withLock({ agenda.deadlines.first }) else { return nil }
      advance(to: deadline)
      return deadline
    }
  }

  /// Advances from deadline to deadline until nothing is armed.
  ///
  /// This includes callbacks that other callbacks schedule. This function can return before a resumed task arms its
  /// next sleep, which happens on the task's own thread. For such tasks use ``advanceToNextSleep()``.
  ///
  /// - Throws: ``EndlessScheduleError`` if `limit` have fired and something is still armed, for example a callback that
  ///   always schedules itself again. The time stays at the last deadline.
  public func run(limit: Int = 10_000) throws(EndlessScheduleError) {
    advanceLock.lock()
    defer { advanceLock.unlock() }
    var fired = 0
    while fired < limit, fireNext(through: nil) != nil { fired += 1 }
    let left = armedDeadlines
    if let next = left.first { throw EndlessScheduleError(fired: fired, stillArmed: left.count, next: next) }
  }

  private func fireNext(through limit: Instant?) -> Instant? {
    let due = lock.withLock { () -> Agenda.Entry? in
      guard let entry = agenda.takeFirst(through: limit) else { return nil }
      time = max(time, entry.deadline)
      return entry
    }
    due?.fire()
    resumeIdleWaiters()
    return due?.deadline
  }
}

// MARK: - Arming

extension ManualClock {
  private typealias Continuation<Value> = CheckedContinuation<Result<Value, CancellationError>, Never>

  private func armSleep(until deadline: Instant, ticket: Int, _ sleeper: Continuation<Void>) -> Bool {
    let entry = Agenda.Entry(
      deadline: deadline,
      ticket: ticket,
      fire: { sleeper.resume(returning: .success(())) },
      cancel: { sleeper.resume(returning: .failure(CancellationError())) }
    )
    return arm(entry, onlyAfterNow: true)
  }

  @discardableResult
  private func arm(_ entry: Agenda.Entry, onlyAfterNow: Bool = false) -> Bool {
    let satisfied: ([Watcher], [Instant])? = lock.withLock {
      if onlyAfterNow && entry.deadline <= time { return nil }
      agenda.insert(entry)
      let count = agenda.count
      let satisfied = takeWatchers { $0.isSatisfied(by: count) }
      return (satisfied, satisfied.isEmpty ? [] : agenda.deadlines)
    }
    guard let (satisfied, deadlines) = satisfied else { return false }
    for watcher in satisfied { watcher.continuation.resume(returning: .success(deadlines)) }
    return true
  }

  @discardableResult
  func disarm(_ ticket: Int) -> Bool {
    guard let entry = lock.withLock({ agenda.remove(ticket) }) else { return false }
    entry.cancel()
    resumeIdleWaiters()
    return true
  }

  /// Called after an entry has fired, because its callback can arm another one.
  private func resumeIdleWaiters() {
    let satisfied = lock.withLock { agenda.count == 0 ? takeWatchers { $0.wanted == .nothing } : [] }
    for watcher in satisfied { watcher.continuation.resume(returning: .success([])) }
  }

  /// Call with the lock held.
  private func takeWatchers(where predicate: (Watcher) -> Bool) -> [Watcher] {
    guard watchers.contains(where: predicate) else { return [] }
    defer { watchers.removeAll(where: predicate) }
    return watchers.filter(predicate)
  }

  // MARK: Watching

  func deadlines(_ wanted: Wanted) async throws(CancellationError) -> [Instant] {
    if Task.isCancelled { throw CancellationError() }
    let ticket = lock.withLock { agenda.newTicket() }
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Continuation<[Instant]>) in
        let watcher = Watcher(ticket: ticket, wanted: wanted, continuation: continuation)
        let already: [Instant]? = lock.withLock {
          if watcher.isSatisfied(by: agenda.count) { return agenda.deadlines }
          watchers.append(watcher)
          return nil
        }
        if let already { continuation.resume(returning: .success(already)) }
        if Task.isCancelled { stopWatching(ticket) }
      }
    } onCancel: {
      stopWatching(ticket)
    }
    return try end.get()
  }

  private func stopWatching(_ ticket: Int) {
    let stopped = lock.withLock { takeWatchers { $0.ticket == ticket } }
    for watcher in stopped { watcher.continuation.resume(returning: .failure(CancellationError())) }
  }

  enum Wanted: Equatable {
    case atLeast(Int)
    case nothing
  }

  private struct Watcher {
    let ticket: Int
    let wanted: Wanted
    let continuation: Continuation<[Instant]>

    func isSatisfied(by count: Int) -> Bool {
      switch wanted {
      case .atLeast(let least): count >= least
      case .nothing: count == 0
      }
    }
  }
}
