internal import Synchronization

extension Sequence {
  /// Returns a future of the first result, success or failure.
  ///
  /// The other futures then lose a listener: stoppable work without another listener is cancelled. If several futures
  /// are completed already, the first of them in the order of the sequence wins. The future of an empty
  /// sequence never completes, and a wait for it ends as for a released promise.
  ///
  /// ```swift
  /// [fetch(from: near), fetch(from: far)].firstCompleted().onSuccess { show($0) }
  /// ```
  public func firstCompleted<T, E>() -> Future<T, E> where Element == Future<T, E> {
    let futures = Array(self)
    return makeRace(futures) { completer in
      for future in futures { future.relayCounted(to: completer) { $0 } }
    }
  }

  /// Returns a future of the first value in time, which fails only if all futures fail.
  ///
  /// The other futures then lose a listener, as in ``firstCompleted()``.
  ///
  /// - Returns: A future of the value; of ``FuturesError/noSuchElement`` for an empty sequence; or, if all futures have
  ///   failed, of the error of the first future in the sequence, wrapped in ``FuturesError/external(_:)``.
  ///
  /// ```swift
  /// mirrors.map(fetch(from:)).firstSuccess().onSuccess { show($0) }
  /// ```
  public func firstSuccess<T, E>() -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    let futures = Array(self)
    guard !futures.isEmpty else { return Future(error: .noSuchElement) }
    let pending = Countdown(from: futures.count)
    return makeRace(futures) { completer in
      for future in futures {
        future.relayCounted(to: completer) { result in
          if case .success(let value) = result { return .success(value) }
          guard pending.isLast() else { return nil }
          return .failure(futures.first?.error.map(FuturesError.external) ?? .noSuchElement)
        }
      }
    }
  }
}

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
  /// Completes an async that waits for this one and others, with the value that a function makes from this one's value.
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

/// Counts completions on any threads, to find the last one.
final class Countdown: Sendable {
  private let count: Atomic<Int>

  init(from count: Int) {
    self.count = Atomic(count)
  }

  /// Counts one completion, and returns whether it is the last.
  func isLast() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
