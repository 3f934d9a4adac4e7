public import Dispatch

extension Sequence {
  /// Makes a future of each element, and returns a future of all their values in the order of the elements, or of the
  /// first error in that order.
  ///
  /// An empty sequence succeeds with an empty array, at once.
  ///
  /// - Parameters:
  ///   - context: Where the function is called; a global queue when left out.
  ///   - f: Called once for each element, in order, and for all of them before anything is waited for.
  ///
  /// ```swift
  /// birds.traverse(f: picture(of:)).onSuccess { pictures in show(pictures) }
  /// ```
  @preconcurrency
  public func traverse<U, E>(
    _ context: @escaping ExecutionContext = DispatchQueue.global().context,
    f: @escaping @Sendable (Element) -> Future<U, E>
  ) -> Future<[U], E> where Element: Sendable {
    let elements = Array(self)
    return Future<[Future<U, E>], E> { complete in
      context { complete(.success(elements.map(f))) }
    }.flatMap(immediateExecutionContext) { $0.sequence() }
  }
}
