extension Future {
  /// A future of both values, as a tuple of this one's and the other's.
  ///
  /// Both are under way at the same time. When both fail, the error is this one's.
  public func zip<U>(_ other: Future<U, E>) -> Future<(T, U), E> {
    [asVoid(), other.asVoid()].sequence().transformed(
      in: immediateExecutionContext,
      Transform { result in
        result.map { _ in (Futures.value(of: self), Futures.value(of: other)) }
      })
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
  guard let value = future.value else { preconditionFailure("A future was zipped before it had succeeded.") }
  return value
}
