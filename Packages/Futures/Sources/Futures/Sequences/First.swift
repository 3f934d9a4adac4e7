extension Sequence {
  /// Returns a future of the first result, success or failure.
  ///
  /// The new future then leaves the others: stoppable work without another listener is cancelled. If several futures
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
  /// The new future then leaves the others, as in ``firstCompleted()``.
  ///
  /// - Returns: A future of the value. For an empty sequence it fails with ``FuturesError/noSuchElement``. If all
  ///   futures fail, it fails with the error of the first one, wrapped in ``FuturesError/external(_:)``.
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
          guard pending.countDown() else { return nil }
          return .failure(futures.first?.error.map(FuturesError.external) ?? .noSuchElement)
        }
      }
    }
  }
}
