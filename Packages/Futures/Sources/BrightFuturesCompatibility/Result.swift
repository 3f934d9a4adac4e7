extension Result {
  /// Creates a success.
  @_disfavoredOverload  // for a trailing closure, which the standard library calls
  public init(value: Success) {
    self = .success(value)
  }

  /// Creates a failure.
  public init(error: Failure) {
    self = .failure(error)
  }

  /// Returns the value that one of two functions makes from the value or the error.
  public func analysis<Outcome>(
    ifSuccess: (Success) -> Outcome, ifFailure: (Failure) -> Outcome
  ) -> Outcome {
    switch self {
    case .success(let value): ifSuccess(value)
    case .failure(let error): ifFailure(error)
    }
  }
}
