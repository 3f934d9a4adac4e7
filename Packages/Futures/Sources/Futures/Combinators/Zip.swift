extension Future {
  /// Creates a future of both values, as a tuple of this one's and the other's.
  ///
  /// Both run at the same time. If both fail, the error is this one's.
  @inlinable
  public func zip<U>(_ other: Future<U, E>) -> Future<(T, U), E> {
    waiting(for: [self, other]) { stage in
      guard let first = self.completedValue(orRegistering: stage) else { return nil }
      switch first {
      case .failure(let error): return .failure(error)
      case .success(let value): return other.completedValue(orRegistering: stage)?.map { (value, $0) }
      }
    }
  }
}

/// Creates a future of all values, as a tuple in the order of the futures, or of the first error in that order.
///
/// All futures run at the same time. The future fails as soon as all before the failed one have succeeded. Without
/// arguments it is completed already.
///
/// ```swift
/// zip(name, picture, rating).onSuccess { name, picture, rating in show(name, picture, rating) }
/// ```
@inlinable
public func zip<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  var members: [_AsyncCore] = []
  for future in repeat each futures { members.append(future) }
  return waiting(for: members) { stage in
    for future in repeat each futures {
      guard let result = future.completedValue(orRegistering: stage) else { return nil }
      if case .failure(let error) = result { return .failure(error) }
    }
    return .success((repeat successValue(of: each futures)))
  }
}

/// The value of a future that has succeeded.
@inlinable
func successValue<T, E>(of future: Future<T, E>) -> T {
  guard case .success(let value) = future.completedValue else {
    preconditionFailure("Cannot zip a future that has not succeeded.")
  }
  return value
}
