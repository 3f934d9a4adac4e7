extension Future {
  /// Returns a future with other types, and traps if the result has different types.
  ///
  /// Use it only in code that has lost the types. The compiler checks `map` and `mapError`, so prefer these.
  public func forceType<U, NewError>() -> Future<U, NewError> {
    map(immediateExecutionContext) { force($0) }.mapError(immediateExecutionContext) { force($0) }
  }

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
  public func promoteValue<U>() -> Future<U, E> {
    forceType()
  }
}

private func force<Value, Forced>(_ value: Value) -> Forced {
  guard let forced = value as? Forced else {
    // Without the value, which may be secret.
    preconditionFailure(
      "Cannot use a \(type(of: value)) as a \(Forced.self): forceType needs a value of that type. "
        + "Use map to convert it.")
  }
  return forced
}
