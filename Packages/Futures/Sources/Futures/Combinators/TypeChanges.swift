extension Future {
  /// Returns a future without the value: it succeeds or fails when this one does.
  public func asVoid() -> Future<Void, E> {
    map(immediateExecutionContext) { _ in }
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

extension Future where E == Never {
  public func promoteError<NewError>() -> Future<T, NewError> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      switch result {
      case .success(let value): .complete(.success(value))
      }
    }
  }
}
