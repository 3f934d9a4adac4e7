extension Result {
  @_disfavoredOverload  // for a trailing closure, which the standard library calls
  public init(value: Success) {
    self = .success(value)
  }

  public init(error: Failure) {
    self = .failure(error)
  }

  public func analysis<Outcome>(
    ifSuccess: (Success) -> Outcome, ifFailure: (Failure) -> Outcome
  ) -> Outcome {
    switch self {
    case .success(let value): ifSuccess(value)
    case .failure(let error): ifFailure(error)
    }
  }

  public func flatten<Value>() -> Result<Value, Failure> where Success == Result<Value, Failure> {
    flatMap { $0 }
  }
}

extension Result where Success: Sendable {
  public func flatMap<U>(_ transform: (Success) -> Future<U, Failure>) -> Future<U, Failure> {
    switch self {
    case .success(let value): transform(value)
    case .failure(let error): Future(error: error)
    }
  }

  public func flatten<U>() -> Future<U, Failure> where Success == Future<U, Failure> {
    flatMap { $0 }
  }
}

extension Sequence {
  /// Returns all values in the order of the sequence, or the first error.
  public func sequence<T, E>() -> Result<[T], E> where Element == Result<T, E> {
    var values: [T] = []
    for result in self {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error): return .failure(error)
      }
    }
    return .success(values)
  }
}
