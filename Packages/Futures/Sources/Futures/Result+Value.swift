extension Result {
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  public var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
