internal import Dispatch

/// Any number of timers that share one Dispatch timer, which is set to the earliest deadline.
///
/// `@unchecked Sendable`: `lock` guards all variables.
final class TimerQueue: @unchecked Sendable {
  private let queue: DispatchQueue
  private let source: any DispatchSourceTimer
  private let lock = Lock()

  @exclusivity(unchecked) private var heap = TimerHeap()
  /// The callbacks by place, each with the number of earlier uses of the place.
  ///
  /// A ticket with an earlier number is no longer valid.
  @exclusivity(unchecked) private var callbacks: [(call: (@Sendable () -> Void)?, use: UInt32)] = []
  @exclusivity(unchecked) private var freePlaces: [UInt32] = []
  /// The time for which the source is set; the maximum if it is not set.
  @exclusivity(unchecked) private var armedFor = UInt64.max
  /// The number of threads that run callbacks.
  @exclusivity(unchecked) private var callers = 0

  /// Identifies a timer that has not fired.
  struct Ticket {
    fileprivate let place, use: UInt32
  }

  /// The maximum number of callbacks that a thread takes from the heap at once.
  private static let batch = 64

  init(_ queue: DispatchQueue) {
    self.queue = queue
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { [weak self] in self?.fired() }
    source.activate()
  }

  deinit { source.cancel() }

  /// Schedules a callback after a time in nanoseconds.
  func schedule(after delay: UInt64, _ callback: @escaping @Sendable () -> Void) -> Ticket {
    schedule(at: DispatchTime.now().uptimeNanoseconds &+ delay, callback)
  }

  /// Schedules a callback at a time of Dispatch's clock, in nanoseconds.
  func schedule(at deadline: UInt64, _ callback: @escaping @Sendable () -> Void) -> Ticket {
    lock.withLock {
      let place: UInt32
      if let free = freePlaces.popLast() {
        place = free
        callbacks[Int(place)].call = callback
      } else {
        place = UInt32(callbacks.count)
        callbacks.append((callback, 0))
      }
      let use = callbacks[Int(place)].use
      heap.insert(TimerHeap.Entry(deadline: deadline, place: place, use: use))
      if callers == 0 { arm() }
      return Ticket(place: place, use: use)
    }
  }

  /// The number of entries in the heap, including those of cancelled timers.
  var entryCount: Int { lock.withLock { heap.count } }

  /// Cancels a timer.
  ///
  /// It does nothing for a timer that has fired.
  func cancel(_ ticket: Ticket) {
    let call = lock.withLock { () -> (@Sendable () -> Void)? in
      guard callbacks[Int(ticket.place)].use == ticket.use else { return nil }
      defer {
        heap.cancelledCount += 1
        // Cancelled timers stay in the heap until they are due, or until they are more than half of it.
        if heap.cancelledCount > 64, heap.cancelledCount > heap.count / 2 {
          heap.removeAll { self.callbacks[Int($0.place)].use != $0.use }
        }
      }
      return vacate(ticket.place)
    }
    // Released outside the lock, because the release can run any code.
    withExtendedLifetime(call) {}
  }

  /// Frees a place, and returns its callback.
  private func vacate(_ place: UInt32) -> (@Sendable () -> Void)? {
    let call = callbacks[Int(place)].call
    callbacks[Int(place)].call = nil
    callbacks[Int(place)].use &+= 1
    freePlaces.append(place)
    return call
  }

  private func fired() {
    lock.withLock {
      armedFor = .max
      callers += 1
    }
    callBack()
  }

  /// Runs the callbacks that are due, then sets the source to the next deadline.
  private func callBack() {
    var due: [@Sendable () -> Void] = []
    due.reserveCapacity(Self.batch)
    while true {
      let needsHelp: Bool? = lock.withLock {
        takeDue(&due)
        if due.isEmpty {
          callers -= 1
          if callers == 0 { arm() }
          return nil
        }
        guard due.count == Self.batch, callers < Self.mostCallers else { return false }
        callers += 1
        return true
      }
      guard let needsHelp else { return }
      if needsHelp { queue.async { self.callBack() } }
      for call in due { call() }
      due.removeAll(keepingCapacity: true)
    }
  }

  private func takeDue(_ due: inout [@Sendable () -> Void]) {
    let now = DispatchTime.now().uptimeNanoseconds
    while due.count < Self.batch, let first = heap.first, first.deadline <= now {
      heap.removeFirst()
      if callbacks[Int(first.place)].use != first.use {
        heap.cancelledCount -= 1
      } else if let call = vacate(first.place) {
        due.append(call)
      }
    }
  }

  private func arm() {
    guard let first = heap.first, first.deadline < armedFor else { return }
    armedFor = first.deadline
    source.schedule(deadline: DispatchTime(uptimeNanoseconds: first.deadline), leeway: .nanoseconds(0))
  }

  private static let mostCallers = max(2, ProcessorCount.active)
}
