extension Sequence {
  /// Returns a future of the combined values, or of the first error, in the order of the sequence.
  ///
  /// `f` is called for one value after the other, when all futures have succeeded.
  @preconcurrency
  public func fold<T, E, Combined>(
    _ zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    fold(defaultContext(), zero: zero, f: f)
  }

  /// Returns a future of the combined values, or of the first error, in the order of the sequence.
  @preconcurrency
  public func fold<T, E, Combined>(
    _ context: @escaping ExecutionContext, zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    sequence().map(context) { $0.reduce(zero, f) }
  }
}
