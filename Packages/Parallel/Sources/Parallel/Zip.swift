internal import Isolation

/// Runs parallels at the same time, and calls back with all their values as a tuple in their order.
///
/// ```swift
/// zip(name, picture).run { name, picture in show(name, picture) }
/// ```
///
/// The parallels start in order, on the thread that calls `run`. The callback runs on the thread where the last value
/// arrives. `zip` is associative except for the shape of the tuple.
public func zip<each Value>(_ parallels: repeat Parallel<each Value>) -> Parallel<(repeat each Value)> {
  Parallel<(repeat each Value)>(
    Stage { next in
      Gathering<repeat each Value>(for: next).start(repeat each parallels)
    })
}

/// Runs parallels at the same time, and calls back with the value that a function makes from all their values.
///
/// ```swift
/// zip(width, height, with: *).run { area in print(area) }
/// ```
@preconcurrency
public func zip<each Value, Combined>(
  _ parallels: repeat Parallel<each Value>,
  with combine: @escaping @Sendable (repeat each Value) -> Combined
) -> Parallel<Combined> {
  let all: Parallel<(repeat each Value)> = zip(repeat each parallels)
  return Parallel<Combined>(
    Stage { next in
      all.start { values in next.call(Parcel(combine(repeat each values)).take()) }
    })
}

/// The values of one run of a `zip`, each in a slot of its own.
///
/// `@unchecked Sendable`: each slot is written once, before its countdown. The last caller to count down owns all slots.
private final class Gathering<each Value>: @unchecked Sendable {
  private let slots: (repeat Slot<each Value>)
  private let count: Int
  private let countdown: Countdown
  private let next: Stage<(repeat each Value)>

  init(for next: Stage<(repeat each Value)>) {
    slots = (repeat Slot<each Value>())
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    self.count = count
    countdown = Countdown(from: count)
    self.next = next
  }

  func start(_ parallels: repeat Parallel<each Value>) {
    repeat (each parallels).start(filling: each slots) { if self.countdown.countDown() { self.finish() } }
    if count == 0 { finish() }
  }

  private func finish() {
    next.call((repeat (each slots).take()))
  }
}

/// A place for the value of one of several parallels.
///
/// `@unchecked Sendable`: it is written before a countdown, and read by the caller that counts to zero.
final class Slot<Value>: @unchecked Sendable {
  var value: Value?

  /// Call this once, after the countdown.
  func take() -> Value {
    defer { value = nil }
    return value.unsafelyUnwrapped
  }
}

extension Parallel {
  fileprivate func start(filling slot: Slot<Value>, _ arrive: @escaping @Sendable () -> Void) {
    start { value in
      slot.value = value
      arrive()
    }
  }
}
