import Foundation

/// A clock whose time passes only when a test says so.
///
/// Hand it to the code under test, wait until that code has armed a sleep, then move time:
///
/// ```swift
/// let clock = ManualClock()
/// async let answer = fetch(retryingAfter: .seconds(3), on: clock)
/// try await clock.nextSleep()       // the code is now really asleep
/// clock.advance(by: .seconds(3))    // and now it is awake
/// ```
///
/// Two kinds of waiting can be armed, and they share one agenda: tasks in ``sleep(until:tolerance:)`` and callbacks
/// given to ``schedule(at:_:)``. What is armed fires in order of deadline, and what has the same deadline in the order
/// in which it was armed.
///
/// - Callbacks run on the thread that advances, synchronously and one at a time, with no lock of the clock held that
///   reading, arming or cancelling would need. A callback sees ``now`` at its own deadline (later, if that had passed when it was scheduled), may schedule, cancel and
///   advance, and what it schedules inside the window being advanced runs within the same call.
/// - Sleeping tasks are *resumed* in that order. Which of two resumed tasks then runs first is their executors' affair,
///   and `advance` does not wait for either. A task that sleeps again measures from the time it finds on waking; to walk
///   a task through several sleeps, use ``advanceToNextSleep()`` once for each.
///
/// Nothing here polls, yields, or looks at real time. Every member may be used from any thread. Arming and cancelling
/// cost time in proportion to what is armed.
public final class ManualClock: Clock, @unchecked Sendable {
  // Unchecked: `agenda`, `watchers` and `time` are read and written only while `lock` is held.
  private let lock = NSLock()
  private var agenda = Agenda()
  private var watchers: [Watcher] = []
  private var time: Instant

  /// Held by the thread that is advancing, so that callbacks run one at a time; recursive, so that they may advance.
  private let turn = NSRecursiveLock()

  /// The smallest step this clock is said to tell apart, as given to the initialiser.
  public let minimumResolution: Duration

  /// Creates a clock that stands still.
  ///
  /// - Parameters:
  ///   - now: The time it shows at first.
  ///   - minimumResolution: What ``minimumResolution`` answers; the clock itself is exact to the attosecond.
  public init(now: Instant = .zero, minimumResolution: Duration = .zero) {
    self.time = now
    self.minimumResolution = minimumResolution
  }

  /// The time the clock shows; it never goes back.
  public var now: Instant { lock.withLock { time } }

  /// The deadlines of everything armed, earliest first: sleeping tasks and scheduled callbacks alike.
  public var armedDeadlines: [Instant] { lock.withLock { agenda.deadlines } }

  /// The number of sleeping tasks and scheduled callbacks.
  public var armedCount: Int { lock.withLock { agenda.count } }
}

// MARK: - Sleeping and scheduling

extension ManualClock {
  /// Suspends the current task until the clock has been advanced to `deadline`.
  ///
  /// Returns at once when the deadline is not after ``now``.
  ///
  /// - Parameters:
  ///   - deadline: When to wake.
  ///   - tolerance: Ignored: a manual clock wakes exactly at the deadline.
  /// - Throws: `CancellationError`, at once, when the task is cancelled before or while it sleeps.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    let ticket = lock.withLock { agenda.newTicket() }
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { (sleeper: Continuation<Void>) in
        guard armSleep(until: deadline, ticket: ticket, sleeper) else { return sleeper.resume(returning: .success(())) }
        // A cancellation that came before the arming found nothing to disarm.
        if Task.isCancelled { disarm(ticket) }
      }
    } onCancel: {
      disarm(ticket)
    }
    try end.get()
  }

  /// Runs `body` once, when the clock is advanced to `deadline`.
  ///
  /// The body runs on the thread that advances, never inside this call: with a deadline that is not after ``now`` it is
  /// due at the next advance, even one by zero. A body that keeps scheduling for the very instant it runs at never lets
  /// that advance return, just as it would never let time pass.
  ///
  /// - Parameters:
  ///   - deadline: When the body is due.
  ///   - body: What to run; at most once, and not at all after a cancellation.
  /// - Returns: A handle that can call it off. Letting go of the handle changes nothing.
  @discardableResult
  public func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> ScheduledCallback {
    let ticket = lock.withLock { agenda.newTicket() }
    arm(Agenda.Entry(deadline: deadline, ticket: ticket, fire: body, callOff: {}))
    return ScheduledCallback(clock: self, ticket: ticket, deadline: deadline)
  }

  /// Runs `body` once, when the clock has been advanced by `delay` from ``now``.
  ///
  /// - Parameters:
  ///   - delay: How much the clock has to be advanced first.
  ///   - body: As for ``schedule(at:_:)``.
  /// - Returns: A handle that can call it off. Letting go of the handle changes nothing.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledCallback {
    schedule(at: now.advanced(by: delay), body)
  }
}

// MARK: - Advancing

extension ManualClock {
  /// Moves time forward by `duration`, waking and running what becomes due on the way.
  ///
  /// A negative duration moves nothing; see ``advance(to:)`` for the guarantees.
  ///
  /// - Parameter duration: How far to go.
  public func advance(by duration: Duration) {
    turn.withLock { advance(to: now.advanced(by: duration)) }
  }

  /// Moves time forward to `instant`, waking and running what becomes due on the way.
  ///
  /// On return the clock shows `instant` or later, every callback due by then has returned, and every sleeper due by then
  /// has been resumed. An instant in the past moves nothing, but still runs what was scheduled for the past.
  /// Two threads that advance take turns; a callback that advances does so within the turn of its own thread. So a
  /// callback must not wait for another thread's advance.
  ///
  /// - Parameter instant: Where to go.
  public func advance(to instant: Instant) {
    turn.withLock {
      while fireNext(through: instant) != nil {}
      lock.withLock { time = max(time, instant) }
    }
  }

  /// Moves time to the earliest deadline that is armed, and fires everything due there.
  ///
  /// - Returns: The time it went to, or `nil` when nothing is armed, in which case nothing happened.
  @discardableResult
  public func advanceToNextDeadline() -> Instant? {
    turn.withLock {
      guard let deadline = lock.withLock({ agenda.deadlines.first }) else { return nil }
      advance(to: deadline)
      return deadline
    }
  }

  /// Moves time from deadline to deadline until nothing is armed.
  ///
  /// Callbacks scheduled by callbacks are run as well. A task that is woken and sleeps again does so later, on its own
  /// thread, so this may return before: walk tasks with ``advanceToNextSleep()``.
  ///
  /// - Parameter limit: How many sleepers and callbacks may fire.
  /// - Throws: ``EndlessScheduleError`` when `limit` have fired and something is still armed, as with a callback that
  ///   always schedules itself again. Time stays where it got to.
  public func run(limit: Int = 10_000) throws(EndlessScheduleError) {
    turn.lock()
    defer { turn.unlock() }
    var fired = 0
    while fired < limit, fireNext(through: nil) != nil { fired += 1 }
    let left = armedDeadlines
    if let next = left.first { throw EndlessScheduleError(fired: fired, stillArmed: left.count, next: next) }
  }

  /// Takes the earliest entry due by `limit`, moves time to it and fires it with the lock released.
  private func fireNext(through limit: Instant?) -> Instant? {
    let due = lock.withLock { () -> Agenda.Entry? in
      guard let entry = agenda.takeFirst(through: limit) else { return nil }
      time = max(time, entry.deadline)
      return entry
    }
    due?.fire()
    tellOfIdleness()
    return due?.deadline
  }
}

// MARK: - Arming

extension ManualClock {
  /// Somebody who waits, until what they wait for is there or their task is cancelled.
  private typealias Continuation<Value> = CheckedContinuation<Result<Value, CancellationError>, Never>

  private func armSleep(until deadline: Instant, ticket: Int, _ sleeper: Continuation<Void>) -> Bool {
    let entry = Agenda.Entry(
      deadline: deadline,
      ticket: ticket,
      fire: { sleeper.resume(returning: .success(())) },
      callOff: { sleeper.resume(returning: .failure(CancellationError())) }
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
    entry.callOff()
    tellOfIdleness()
    return true
  }

  /// Whoever waits for nothing to be armed hears of it when what was armed last has run, and has armed nothing itself.
  private func tellOfIdleness() {
    let satisfied = lock.withLock { agenda.count == 0 ? takeWatchers { $0.wanted == .nothing } : [] }
    for watcher in satisfied { watcher.continuation.resume(returning: .success([])) }
  }

  /// To be called with the lock held.
  private func takeWatchers(where isMeant: (Watcher) -> Bool) -> [Watcher] {
    guard watchers.contains(where: isMeant) else { return [] }
    defer { watchers.removeAll(where: isMeant) }
    return watchers.filter(isMeant)
  }

  // MARK: Watching

  /// Waits until so much is armed; see `ManualClock+Waiting.swift` for the public forms.
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

  /// How many entries somebody waits for.
  enum Wanted: Equatable {
    case atLeast(Int)
    case nothing
  }

  /// Someone who waits for a number of entries to be armed at once.
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
