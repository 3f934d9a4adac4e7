extension Sequence {
  /// Returns a future of all values, or of the first error, in the order of the sequence.
  ///
  /// It waits for the futures in order, and fails with the first failure in that order. An empty sequence succeeds at
  /// once with an empty array.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequence().onSuccess { pictures in show(pictures) }
  /// ```
  ///
  /// Cancelling it stops the work of every future without another listener. If one future fails, the others continue.
  ///
  /// The number of allocations is constant. The time is proportional to the number of futures.
  @inlinable
  public func sequence<T, E>() -> Future<[T], E> where Element: Future<T, E> {
    // A conversion would copy the elements one by one.
    let futures = unsafeBitCast(Array(self), to: [Future<T, E>].self)
    let progress = SequenceProgress(futures)
    return waiting(for: unsafeBitCast(futures, to: [_AsyncCore].self)) { all in
      guard let result = progress.advance(registering: all) else { return false }
      all.tryComplete(result)
      return true
    }
  }

  /// Returns a future of all values, in the order of the sequence, or of the first error in time.
  ///
  /// It fails when any of the futures fails. The new future then leaves the pending ones, as in ``firstCompleted()``.
  /// An empty sequence succeeds at once with an empty array.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequenceFailingFast().onFailure { error in report(error) }
  /// ```
  public func sequenceFailingFast<T, E>() -> Future<[T], E> where Element == Future<T, E> {
    let futures = Array(self)
    guard !futures.isEmpty else { return Future(value: []) }
    let pending = Countdown(from: futures.count)
    return makeRace(futures) { completer in
      for future in futures {
        future.relayCounted(to: completer) { result in
          if case .failure(let error) = result { return .failure(error) }
          return pending.countDown() ? .success(futures.map(successValue)) : nil
        }
      }
    }
  }
}

/// `@unchecked Sendable`: `completedCount` belongs to the reaction of one stage, which runs once at a time.
@usableFromInline
final class SequenceProgress<T: Sendable, E: Error>: @unchecked Sendable {
  @usableFromInline let futures: [Future<T, E>]
  @usableFromInline @exclusivity(unchecked) var completedCount = 0

  @inlinable
  init(_ futures: [Future<T, E>]) {
    self.futures = futures
  }

  @inlinable
  func advance(registering listener: _Listener) -> Result<[T], E>? {
    futures.withUnmanaged { futures in
      while completedCount < futures.count {
        let next = futures[completedCount]
        guard let result = next._withUnsafeGuaranteedRef({ $0.completedValue(orRegistering: listener) }) else {
          return nil
        }
        if case .failure(let error) = result { return .failure(error) }
        completedCount += 1
      }
      return .success(futures.map { $0._withUnsafeGuaranteedRef(successValue) })
    }
  }
}
