extension Future {
  /// A future of both values, as a tuple of this one's and the other's.
  ///
  /// Both are under way at the same time. When both fail, the error is this one's.
  @inlinable
  public func zip<U>(_ other: Future<U, E>) -> Future<(T, U), E> {
    typealias Both = Stage<Pair<T, U, E>, (T, U), E>
    let pair = Pair(first: self, second: other)
    let stage = Both(pair, in: nil) { listener, _, ready, _ in
      let stage = unsafeDowncast(listener, to: Both.self)
      if stage.hasEnded() { return nil }
      if let outcome = stage.function.unsafelyUnwrapped.advance(registering: stage) {
        _ = stage.takeFunction()
        stage.complete(outcome, &ready)
      }
      return nil
    }
    stage.beginWaiting(for: SuccessiveUpstreams([self, other]))
    if let outcome = pair.advance(registering: stage) {
      _ = stage.takeFunction()
      stage.tryComplete(outcome)
    }
    return stage
  }
}

/// Two futures that are waited for one after the other.
@usableFromInline
struct Pair<T: Sendable, U: Sendable, E: Error>: Sendable {
  @usableFromInline let first: Future<T, E>
  @usableFromInline let second: Future<U, E>

  @inlinable
  init(first: Future<T, E>, second: Future<U, E>) {
    self.first = first
    self.second = second
  }

  /// Waits for the first of the two that is not completed, or tells the outcome.
  ///
  /// Once it waits, another thread may go on with it: the caller must not touch it after `nil`.
  @inlinable
  func advance(registering listener: _Listener) -> Result<(T, U), E>? {
    if !first.hasResult, first.registerUnlessCompleted(listener) { return nil }
    switch first.completedValue {
    case .failure(let error): return .failure(error)
    case .success(let value):
      if !second.hasResult, second.registerUnlessCompleted(listener) { return nil }
      return second.completedValue.map { (value, $0) }
    }
  }
}

/// A future of all values, as a tuple in the order of the futures, or of the first error in that order.
///
/// All of them are under way at the same time. It fails as soon as all before the failed one have succeeded. Without
/// any futures it is completed already.
///
/// ```swift
/// zip(name, picture, rating).onSuccess { name, picture, rating in show(name, picture, rating) }
/// ```
public func zip<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  var voids: [Future<Void, E>] = []
  for future in repeat each futures { voids.append(future.asVoid()) }
  return voids.sequence().transformed(
    in: immediateExecutionContext,
    Transform { result in
      result.map { _ in (repeat value(of: each futures)) }
    })
}

/// The value of a future that is known to have succeeded.
func value<T, E>(of future: Future<T, E>) -> T {
  guard let value = future.value else { preconditionFailure("Cannot zip a future that has not succeeded.") }
  return value
}
