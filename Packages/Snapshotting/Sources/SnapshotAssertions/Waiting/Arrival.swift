internal import Synchronization

/// The one value of a run, for somebody who waits for it in whatever way.
///
/// `@unchecked Sendable`: `value` is written by the one caller that takes `claimed`, before `state` becomes `arrived`, and
/// read after that was seen. `wake` is written before `state` becomes `awaited`, and read after that was seen.
final class Arrival<Value>: @unchecked Sendable {
  private let claimed = Atomic(false)
  private let state = Atomic(State.empty)
  private var value: Value?
  private var wake: (@Sendable () -> Void)?

  /// The value, once it has arrived.
  var result: Value? { state.load(ordering: .acquiring) == State.arrived ? value : nil }

  /// Takes the value; any later one is dropped.
  func arrive(_ value: sending Value) {
    guard !claimed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    self.value = value
    if state.exchange(State.arrived, ordering: .acquiringAndReleasing) == State.awaited { wake?() }
  }

  /// Calls back when the value arrives, at once if it has.
  ///
  /// Called once.
  func whenArrived(_ wake: @escaping @Sendable () -> Void) {
    self.wake = wake
    let (isFirst, _) = state.compareExchange(
      expected: State.empty, desired: State.awaited, ordering: .acquiringAndReleasing)
    if !isFirst { wake() }
  }
}

private enum State {
  static let empty = 0
  static let awaited = 1
  static let arrived = 2
}
