extension Sequence {
  /// Combines the values of the futures one by one, in the order of the sequence, or gives the first error in that order.
  ///
  /// - Parameters:
  ///   - zero: What to begin with, and the value for an empty sequence.
  ///   - f: Called with what was combined so far and the next value, in ``defaultContext()``.
  @preconcurrency
  public func fold<T, E, Combined>(
    _ zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    fold(defaultContext(), zero: zero, f: f)
  }

  /// Combines the values of the futures one by one, in the order of the sequence, or gives the first error in that order.
  ///
  /// - Parameters:
  ///   - context: Where the function is called.
  ///   - zero: What to begin with, and the value for an empty sequence.
  ///   - f: Called with what was combined so far and the next value.
  @preconcurrency
  public func fold<T, E, Combined>(
    _ context: @escaping ExecutionContext, zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    sequence().map(context) { $0.reduce(zero, f) }
  }
}
