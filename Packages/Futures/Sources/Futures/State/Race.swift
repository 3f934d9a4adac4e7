internal import Synchronization

/// Creates a future that several others compete to complete, and which then leaves the others.
func makeRace<T, E>(
  _ members: [_AsyncCore], _ register: (Completer<Result<T, E>>) -> Void
) -> Future<T, E> {
  let upstream = Upstream.race(members)
  let winner = Stage<Void?, T, E>(nil, waitingFor: upstream, reaction: noReaction)
  let completer = Completer<Result<T, E>>(winner)
  // Before any registration, because the first one may end the race, which then leaves all members.
  upstream.join()
  register(completer)
  return winner
}

extension Async {
  /// Completes an async that waits for this one and others.
  ///
  /// A function makes its value from this one's value.
  ///
  /// The other async counts as a listener already.
  ///
  /// - Parameter transform: A function that returns `nil` to leave the other async pending.
  final func relayCounted<Outcome>(
    to completer: Completer<Outcome>, _ transform: @escaping @Sendable (Value) -> Outcome?
  ) {
    if completer.async.isSettled { return }
    register(
      Relay(to: completer.async) { value in
        if let outcome = transform(value) { completer.complete(outcome) }
      }, isCounted: false)
  }
}

final class Countdown: Sendable {
  private let count: Atomic<Int>

  init(from count: Int) {
    self.count = Atomic(count)
  }

  func countDown() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
