internal import Synchronization

extension Sequence {
  /// A future of the first result that is there, success or failure.
  ///
  /// The others are cancelled then, except those that somebody else waits for. When several are completed already, the
  /// first of them in the order of the sequence counts. An empty sequence never completes.
  ///
  /// ```swift
  /// [fetch(from: near), fetch(from: far)].firstCompleted().onSuccess { show($0) }
  /// ```
  public func firstCompleted<T, E>() -> Future<T, E> where Element == Future<T, E> {
    Future.race(Array(self))
  }

  /// A future of the first value that is there; it fails only when all have failed.
  ///
  /// The others are cancelled then, except those that somebody else waits for.
  ///
  /// - Returns: A future of the value; of ``FuturesError/noSuchElement`` for an empty sequence; or, when all have failed, of
  ///   the error of the one that comes first in the sequence, wrapped in ``FuturesError/external(_:)``.
  ///
  /// ```swift
  /// mirrors.map(fetch(from:)).firstSuccess().onSuccess { show($0) }
  /// ```
  public func firstSuccess<T, E>() -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    let futures = Array(self)
    guard !futures.isEmpty else { return Future(error: .noSuchElement) }
    let winner = Future<T, FuturesError<E>>(promised: ())
    let completer = Completer(winner)
    let underWay = Countdown(from: futures.count)
    winner.beginWaiting(for: ManyUpstreams(futures))
    for future in futures {
      future.register(
        Relay<Result<T, E>>(to: winner) { result in
          if case .success(let value) = result { return completer.complete(.success(value)) }
          guard underWay.isOver() else { return }
          completer.complete(.failure(futures.first?.error.map(FuturesError.external) ?? .noSuchElement))
        })
    }
    return winner
  }
}

/// How many are still under way.
private final class Countdown: Sendable {
  private let count: Atomic<Int>

  init(from count: Int) {
    self.count = Atomic(count)
  }

  /// Whether the caller is the last.
  func isOver() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
