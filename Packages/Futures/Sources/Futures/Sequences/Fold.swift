extension Sequence {
  /// Returns a future of the combined values, or of the first error, in the order of the sequence.
  ///
  /// - Parameters:
  ///   - zero: The initial value, and the result for an empty sequence.
  ///   - f: A function that combines the intermediate result with the next value. When all futures have
  ///     succeeded, it is called for one value after the other, in ``defaultContext()``.
  @preconcurrency
  public func fold<T, E, Combined>(
    _ zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    fold(defaultContext(), zero: zero, f: f)
  }

  /// Returns a future of the combined values, or of the first error, in the order of the sequence.
  ///
  /// - Parameters:
  ///   - context: The context of the function.
  ///   - zero: The initial value, and the result for an empty sequence.
  ///   - f: A function that combines the intermediate result with the next value. When all futures have succeeded, it
  ///     is called for one value after the other.
  @preconcurrency
  public func fold<T, E, Combined>(
    _ context: @escaping ExecutionContext, zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    sequence().map(context) { $0.reduce(zero, f) }
  }
}
