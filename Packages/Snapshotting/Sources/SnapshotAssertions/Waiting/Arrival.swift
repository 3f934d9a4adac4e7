internal import Dispatch
internal import Foundation
internal import Synchronization

/// The one value of a run, for somebody who waits for it in whatever way.
///
/// `@unchecked Sendable`: `value` is written by the one caller that takes `state` to `arriving`, before `state` becomes
/// `arrived` (release), and read after that was seen (acquire). `wake` is guarded by `lock`.
final class Arrival<Value>: @unchecked Sendable {
  private let state = Atomic(State.empty)
  private var value: Value?
  private let lock = NSLock()
  private var wake: (@Sendable () -> Void)?

  /// The value, once it has arrived.
  var result: Value? { state.load(ordering: .acquiring) == State.arrived ? value : nil }

  /// Takes the value; any later one is dropped.
  func arrive(_ value: sending Value) {
    let (first, _) = state.compareExchange(
      expected: State.empty, desired: State.arriving, ordering: .acquiringAndReleasing)
    guard first else { return }
    self.value = value
    state.store(State.arrived, ordering: .releasing)
    lock.withLock { wake }?()
  }

  /// Calls back when the value arrives, at once if it has; a second call replaces what the first one asked for.
  func whenArrived(_ wake: @escaping @Sendable () -> Void) {
    lock.withLock { self.wake = wake }
    if state.load(ordering: .acquiring) == State.arrived { wake() }
  }
}

private enum State {
  static let empty = 0
  static let arriving = 1
  static let arrived = 2
}
