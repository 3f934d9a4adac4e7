extension Future {
  /// Returns a future with other types, and traps if the result has different types.
  ///
  /// Use it only in code that has lost the types. The compiler checks `map` and `mapError`, so prefer these.
  public func forceType<U, NewError>() -> Future<U, NewError> {
    map(immediateExecutionContext) { force($0) }.mapError(immediateExecutionContext) { force($0) }
  }

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
    forceType()
  }
}

private func force<Value, Forced>(_ value: Value) -> Forced {
  guard let forced = value as? Forced else {
    preconditionFailure("Cannot force a future to \(Forced.self): its result is \(value), of type \(type(of: value)).")
  }
  return forced
}
