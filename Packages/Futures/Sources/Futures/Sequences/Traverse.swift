public import Dispatch
internal import Synchronization

extension Sequence {
  /// Makes a future from each element, and returns a future of all their values, or of the first error, in the order of
  /// the elements.
  ///
  /// An empty sequence succeeds with an empty array. `f` is called for all elements, in order, before the first wait.
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

  /// Makes a future from each element, a limited number at a time, and returns a future of all their values in order.
  ///
  /// The returned future fails with the first error in the order of the elements. After the first failure in time no
  /// more futures are made, and pending futures continue. An empty sequence succeeds with an empty array. A limit below
  /// 1 counts as 1.
  ///
  /// The returned future is work that can be stopped: it is cancelled when its last listener leaves. Cancelling it
  /// cancels the pending futures. If its error type can represent a cancellation, no more futures are made. Otherwise
  /// the next futures are cancelled when they are made, until the first failure.
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
    all.makeStoppable()
    let queue = PromiseQueue(promises)
    @Sendable func beginNext() {
      guard !all.isSettled, let (index, promise) = queue.takeNext() else { return }
      let hasRun = Atomic(false)
      context {
        // A context may run its work twice.
        guard !hasRun.exchange(true, ordering: .acquiringAndReleasing), !all.isSettled else { return }
        if all.isCancelled { promise.future.cancel() }
        // Registered before the promise can complete, so that the next element always starts.
        promise.future.register(
          Relay<Result<U, E>>(to: all) { result in
            // After a failure, the values of later elements are not needed.
            if case .failure = result { queue.discard() } else { beginNext() }
          }, isCounted: false)
        promise.complete(with: f(elements[index]))
      }
    }
    for _ in 0..<Swift.min(Swift.max(limit, 1), elements.count) { beginNext() }
    return all
  }
}

/// Promises that are taken one after the other, on any threads.
///
/// Only the caller of ``takeNext()`` retains a taken promise. So a promise is released if its future's work is.
///
/// `@unchecked Sendable`: the atomic `count` gives each promise to one caller.
private final class PromiseQueue<T: Sendable, E: Error>: @unchecked Sendable {
  private let promises: [Unmanaged<Promise<T, E>>]
  private let count = Atomic(0)

  init(_ promises: [Promise<T, E>]) {
    self.promises = promises.map(Unmanaged.passRetained)
  }

  deinit {
    discard()
  }

  func discard() {
    while takeNext() != nil {}
  }

  func takeNext() -> (index: Int, promise: Promise<T, E>)? {
    let index = count.add(1, ordering: .relaxed).oldValue
    return index < promises.count ? (index, promises[index].takeRetainedValue()) : nil
  }
}
