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
    return Future<Void, E>(value: ()).flatMap(context) { elements.map(f).sequence() }
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
    let waiting = Waiting(promises)
    @Sendable func beginNext() {
      guard !all.isSettled, let (index, promise) = waiting.takeNext() else { return }
      context {
        guard !all.isSettled else { return }
        // Before it can complete, so that the next is begun in any case.
        promise.future.register(Relay<Result<U, E>>(to: all) { _ in beginNext() }, isCounted: false)
        promise.complete(with: f(elements[index]))
      }
    }
    for _ in 0..<Swift.min(Swift.max(limit, 1), elements.count) { beginNext() }
    return all
  }
}

/// Promises that wait for their turn.
///
/// One that was taken is held by who took it alone, so that it goes with what it was
/// to be completed with.
///
/// `@unchecked Sendable`: `count` decides who takes which of the promises.
private final class Waiting<T: Sendable, E: Error>: @unchecked Sendable {
  private let promises: [Unmanaged<Promise<T, E>>]
  private let count = Atomic(0)

  init(_ promises: [Promise<T, E>]) {
    self.promises = promises.map(Unmanaged.passRetained)
  }

  deinit {
    while takeNext() != nil {}
  }

  func takeNext() -> (index: Int, promise: Promise<T, E>)? {
    let index = count.add(1, ordering: .relaxed).oldValue
    return index < promises.count ? (index, promises[index].takeRetainedValue()) : nil
  }
}
