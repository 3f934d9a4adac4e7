extension Sequence {
  /// A future of all values, in the order of the sequence, or of the first error in that order.
  ///
  /// It waits for one future after the other, and only for those before the first failure: it fails as soon as all
  /// before the failed one have succeeded. An empty sequence succeeds with an empty array, at once.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequence().onSuccess { pictures in show(pictures) }
  /// ```
  ///
  /// Cancelling it cancels all of them that nobody else waits for. When one fails, the others go on.
  ///
  /// Costs a fixed number of allocations, however many futures there are, and time in proportion to them.
  ///
  /// Source: *Beyond the block based API: Building a simple future*.
  @inlinable
  public func sequence<T, E>() -> Future<[T], E> where Element: Future<T, E> {
    typealias Waiting = Stage<SequentialWait<T, E>, [T], E>
    // A conversion would copy the elements one by one.
    let wait = SequentialWait(unsafeBitCast(Array(self), to: [Future<T, E>].self))
    let stage = Waiting(wait, in: nil) { listener, _, ready, _ in
      let stage = unsafeDowncast(listener, to: Waiting.self)
      if stage.hasEnded() { return nil }
      if let outcome = stage.function.unsafelyUnwrapped.advance(registering: stage) {
        _ = stage.takeFunction()
        stage.complete(outcome, &ready)
      }
      return nil
    }
    stage.beginWaiting(for: SuccessiveUpstreams(untyped(wait.futures)))
    if let outcome = wait.advance(registering: stage) {
      _ = stage.takeFunction()
      stage.tryComplete(outcome)
    }
    return stage
  }
}

/// The same array, whose elements are seen as what they inherit; as a conversion it would be copied one by one.
@inlinable
func untyped<T, E>(_ futures: [Future<T, E>]) -> [_AsyncState] {
  unsafeBitCast(futures, to: [_AsyncState].self)
}

/// How far a sequence of futures has been waited for.
///
/// `@unchecked Sendable`: `completedCount` belongs to the reaction of the one stage that holds it, which runs once at a time.
@usableFromInline
final class SequentialWait<T: Sendable, E: Error>: @unchecked Sendable {
  @usableFromInline let futures: [Future<T, E>]
  @usableFromInline @exclusivity(unchecked) var completedCount = 0

  @inlinable
  init(_ futures: [Future<T, E>]) {
    self.futures = futures
  }

  /// Passes the futures that are completed, then waits for the first that is not, or tells the outcome.
  ///
  /// Once it waits, another thread may go on with it: the caller must not touch it after `nil`.
  @inlinable
  func advance(registering listener: _Listener) -> Result<[T], E>? {
    futures.withUnmanaged { futures in
      while completedCount < futures.count {
        let next = futures[completedCount]
        let isWaiting = next._withUnsafeGuaranteedRef { !$0.hasResult && $0.registerUnlessCompleted(listener) }
        if isWaiting { return nil }
        if case .failure(let error) = next._withUnsafeGuaranteedRef({ $0.completedValue }) { return .failure(error) }
        completedCount += 1
      }
      var values: [T] = []
      values.reserveCapacity(futures.count)
      for future in futures {
        if case .success(let value) = future._withUnsafeGuaranteedRef({ $0.completedValue }) { values.append(value) }
      }
      return .success(values)
    }
  }
}
