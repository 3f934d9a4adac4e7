extension Future {
  /// Returns a future without the value: it succeeds or fails when this one does.
  public func asVoid() -> Future<Void, E> {
    map(immediateExecutionContext) { _ in }
  }

  /// Returns a future with other types, and traps if the result has different types.
  ///
  /// Use it only in code that has lost the types. The compiler checks `map` and `mapError`, so prefer these.
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

  /// Returns a future of a member of this one's value.
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
  /// Returns the same future with another error type.
  public func promoteError<NewError>() -> Future<T, NewError> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      switch result {
      case .success(let value): .complete(.success(value))
      }
    }
  }
}

extension Future {
  /// Returns the same future with another wrapped error type.
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
  /// Returns the same future with another value type.
  public func promoteValue<U>() -> Future<U, E> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      switch result {
      case .failure(let error): .complete(.failure(error))
      }
    }
  }
}
