extension Future {
  /// A future that only tells whether and when this one succeeds.
  public func asVoid() -> Future<Void, E> {
    map(immediateExecutionContext) { _ in }
  }

  /// The same future with types that you know it to have; it traps when its result is of another type.
  ///
  /// A last resort, for code that has lost the types. Prefer `map` and `mapError`, which the compiler checks.
  public func forceType<U, NewError>() -> Future<U, NewError> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      switch result {
      case .success(let value):
        guard let value = value as? U else { wrongType(value, U.self) }
        return .complete(.success(value))
      case .failure(let error):
        guard let error = error as? NewError else { wrongType(error, NewError.self) }
        return .complete(.failure(error))
      }
    }
  }

  /// A future of a member of this one's value.
  ///
  /// ```swift
  /// person.address.city.onSuccess { print($0) }  // person is a Future<Person, _>
  /// ```
  public subscript<U: Sendable>(dynamicMember member: any KeyPath<T, U> & Sendable) -> Future<U, E> {
    map(immediateExecutionContext) { $0[keyPath: member] }
  }
}

private func wrongType(_ value: Any, _ type: Any.Type) -> Never {
  preconditionFailure("Cannot force a future to \(type): its result is \(value), of type \(Swift.type(of: value)).")
}

extension Future where E == Never {
  /// The same future, as one that could fail.
  public func promoteError<NewError>() -> Future<T, NewError> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      switch result {
      case .success(let value): .complete(.success(value))
      }
    }
  }
}

extension Future {
  /// The same future, as one whose operation's own error could be another.
  public func promoteError<NewError>() -> Future<T, FuturesError<NewError>> where E == FuturesError<Never> {
    mapError(immediateExecutionContext) { error in
      switch error {
      case .noSuchElement: .noSuchElement
      case .invalidationTokenInvalidated: .invalidationTokenInvalidated
      case .illegalState: .illegalState
      }
    }
  }
}

extension Future where T == Never {
  /// The same future, as one that could succeed.
  public func promoteValue<U>() -> Future<U, E> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      switch result {
      case .failure(let error): .complete(.failure(error))
      }
    }
  }
}
