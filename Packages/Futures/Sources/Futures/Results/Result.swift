extension Result {
  /// Creates a success.
  public init(value: Success) {
    self = .success(value)
  }

  /// Creates a failure.
  public init(error: Failure) {
    self = .failure(error)
  }

  /// The value, or `nil` for a failure.
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  /// The error, or `nil` for a success.
  public var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// What one of two functions makes of the value or of the error.
  public func analysis<Outcome>(
    ifSuccess: (Success) -> Outcome, ifFailure: (Failure) -> Outcome
  ) -> Outcome {
    switch self {
    case .success(let value): ifSuccess(value)
    case .failure(let error): ifFailure(error)
    }
  }

  /// The result that is this one's value.
  public func flatten<Value>() -> Result<Value, Failure> where Success == Result<Value, Failure> {
    flatMap { $0 }
  }
}

extension Result where Success: Sendable {
  /// The future that a function makes of the value, or one that has failed with the error.
  public func flatMap<U>(_ transform: (Success) -> Future<U, Failure>) -> Future<U, Failure> {
    switch self {
    case .success(let value): transform(value)
    case .failure(let error): Future(error: error)
    }
  }

  /// The future that is this one's value, or one that has failed with the error.
  public func flatten<U>() -> Future<U, Failure> where Success == Future<U, Failure> {
    flatMap { $0 }
  }
}

extension Sequence {
  /// All values in the order of the sequence, or the first error.
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
