public import Dispatch
internal import Synchronization

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

  /// Makes a future of each element, so many at a time, and returns a future of all their values in the order of the
  /// elements, or of the first error in that order.
  ///
  /// An empty sequence succeeds with an empty array, at once. After the failure no more are begun; those that are under way
  /// go on. Cancelling the future cancels those that are under way, and begins no more, where its error can say so.
  ///
  /// - Parameters:
  ///   - context: Where the function is called; a global queue when left out.
  ///   - limit: How many may be under way at a time; less than 1 counts as 1.
  ///   - f: Called at most once for each element, in order, when there is room for it.
  ///
  /// ```swift
  /// birds.traverse(maxConcurrent: 4) { bird in fetch(bird.picture) }.onSuccess { pictures in show(pictures) }
  /// ```
  @preconcurrency
  public func traverse<U, E>(
    _ context: @escaping ExecutionContext = DispatchQueue.global().context, maxConcurrent limit: Int,
    f: @escaping @Sendable (Element) -> Future<U, E>
  ) -> Future<[U], E> where Element: Sendable {
    let elements = Array(self)
    let promises = elements.map { _ in Promise<U, E>(origin: nil) }
    let all = promises.map(\.future).sequence()
    let begun = Counter()
    @Sendable func beginNext() {
      let index = begun.next()
      guard index < elements.count, !all.isSettled else { return }
      context {
        // Before it can complete, so that the next is begun in any case.
        promises[index].future.register(Relay<Result<U, E>>(to: all) { _ in beginNext() })
        promises[index].complete(with: f(elements[index]))
      }
    }
    for _ in 0..<Swift.min(Swift.max(limit, 1), elements.count) { beginNext() }
    return all
  }
}

/// Counts from 0.
private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
