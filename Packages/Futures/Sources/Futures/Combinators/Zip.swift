extension Future {
  /// Returns a future of both values as a tuple.
  ///
  /// If this future fails, the new future fails at once. If only the other one fails, it fails when this one has
  /// succeeded. If both fail, it has this one's error.
  @inlinable
  public func zip<U>(_ other: Future<U, E>) -> Future<(T, U), E> {
    waiting(for: [self, other]) { both in
      guard let first = self.completedValue(orRegistering: both) else { return false }
      switch first {
      case .failure(let error): both.tryComplete(.failure(error))
      case .success(let value):
        guard let second = other.completedValue(orRegistering: both) else { return false }
        both.tryComplete(second.map { (value, $0) })
      }
      return true
    }
  }
}

/// Returns a future of all values, as a tuple in the order of the futures, or of the first error in that order.
///
/// The new future fails when one future has failed and all futures before it have
/// succeeded. Without arguments it is completed.
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
  return waiting(for: members) { all in
    for future in repeat each futures {
      guard let result = future.completedValue(orRegistering: all) else { return false }
      if case .failure(let error) = result {
        all.tryComplete(.failure(error))
        return true
      }
    }
    all.tryComplete(.success((repeat successValue(of: each futures))))
    return true
  }
}

/// Returns a future of all values, as a tuple in the order of the futures, or of the first error in time.
///
/// It fails when any of the futures fails. The new future then leaves the pending ones, as in `firstCompleted()`.
///
/// ```swift
/// zipFailingFast(name, picture).onFailure { error in report(error) }
/// ```
public func zipFailingFast<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  var members: [_AsyncCore] = []
  for future in repeat each futures { members.append(future) }
  guard !members.isEmpty else { return zip(repeat each futures) }
  let pending = Countdown(from: members.count)
  return makeRace(members) { completer in
    for future in repeat each futures {
      future.relayCounted(to: completer) { result in
        if case .failure(let error) = result { return .failure(error) }
        return pending.countDown() ? .success((repeat successValue(of: each futures))) : nil
      }
    }
  }
}

@inlinable
func successValue<T, E>(of future: Future<T, E>) -> T {
  guard case .success(let value) = future.completedValue else {
    preconditionFailure("Cannot zip a future that has not succeeded.")
  }
  return value
}
