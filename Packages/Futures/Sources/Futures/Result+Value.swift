extension Result {
  /// The value, or `nil` for a failure.
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  /// The error, or `nil` for a success.
  public var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
