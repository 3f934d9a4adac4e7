internal import Dispatch

/// Any number of timers that share one Dispatch timer, which is set to the earliest deadline.
///
/// A Dispatch timer for each would need more memory than a waiting order.
///
/// `@unchecked Sendable`: `lock` guards all variables.
final class TimerQueue: @unchecked Sendable {
  private let queue: DispatchQueue
  private let source: any DispatchSourceTimer
  private let lock = Lock()

  /// The deadlines of the callbacks, and of some that were cancelled.
  @exclusivity(unchecked) private var deadlines = TimerHeap()
  @exclusivity(unchecked) private var callbacks: [UInt64: @Sendable () -> Void] = [:]
  @exclusivity(unchecked) private var lastTicket: UInt64 = 0
  /// The time for which the source is set; the maximum if it is not set.
  @exclusivity(unchecked) private var armedFor = UInt64.max

  /// The maximum number of callbacks that run one after the other on a concurrent queue.
  private static let batch = 64

  init(_ queue: DispatchQueue) {
    self.queue = queue
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { [weak self] in self?.fired() }
    source.activate()
  }

  deinit { source.cancel() }

  /// Schedules a callback after a time in nanoseconds, and returns its ticket.
  func schedule(after delay: UInt64, _ callback: @escaping @Sendable () -> Void) -> UInt64 {
    schedule(at: DispatchTime.now().uptimeNanoseconds &+ delay, callback)
  }

  /// Schedules a callback at a time of Dispatch's clock in nanoseconds, and returns its ticket.
  func schedule(at deadline: UInt64, _ callback: @escaping @Sendable () -> Void) -> UInt64 {
    lock.withLock {
      lastTicket += 1
      callbacks[lastTicket] = callback
      deadlines.insert(TimerHeap.Entry(deadline: deadline, ticket: lastTicket))
      arm()
      return lastTicket
    }
  }

  /// The number of deadlines, including some of cancelled timers.
  var entryCount: Int { lock.withLock { deadlines.count } }

  /// Cancels a timer.
  ///
  /// It does nothing for a timer that has fired.
  func cancel(_ ticket: UInt64) {
    let callback = lock.withLock {
      defer {
        if deadlines.count > 64, deadlines.count > 2 * callbacks.count {
          deadlines.removeAll { callbacks[$0.ticket] == nil }
        }
      }
      return callbacks.removeValue(forKey: ticket)
    }
    // Released outside the lock, because the release can run any code.
    withExtendedLifetime(callback) {}
  }

  private func fired() {
    lock.withLock { armedFor = .max }
    while true {
      let due = lock.withLock {
        let due = takeDue()
        if due.isEmpty { arm() }
        return due
      }
      guard !due.isEmpty else { return }
      queue.async { for callback in due { callback() } }
    }
  }

  private func takeDue() -> [@Sendable () -> Void] {
    let now = DispatchTime.now().uptimeNanoseconds
    var due: [@Sendable () -> Void] = []
    while due.count < Self.batch, let first = deadlines.first, first.deadline <= now {
      deadlines.removeFirst()
      if let callback = callbacks.removeValue(forKey: first.ticket) { due.append(callback) }
    }
    return due
  }

  private func arm() {
    guard let first = deadlines.first, first.deadline < armedFor else { return }
    armedFor = first.deadline
    source.schedule(deadline: DispatchTime(uptimeNanoseconds: first.deadline), leeway: .nanoseconds(0))
  }
}
