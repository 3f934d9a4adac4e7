public import Dispatch
internal import Isolation

// MARK: All values

extension Future {
  /// Returns a future of both values as a tuple.
  ///
  /// If this future fails, the new future fails at once. If only the other one fails, it fails when this one has
  /// succeeded. If both fail, it has this one's error.
  public func zip<U>(_ other: Future<U, E>) -> Future<(T, U), E> {
    let advance: @Sendable (_AsyncCore, Future<(T, U), E>) -> Void = { _, both in
      switch (self.result, other.result) {
      case (.failure(let error)?, _), (.success?, .failure(let error)?): both.tryComplete(.failure(error))
      case (.success(let value)?, .success(let otherValue)?): both.tryComplete(.success((value, otherValue)))
      default: break
      }
    }
    return Future<(T, U), E>(stopsSources: false) { both in
      link(self, to: both, step: advance)
      link(other, to: both, step: advance)
    }
  }
}

/// Returns a future of all values, as a tuple in the order of the futures, or of the first error in that order.
///
/// The new future fails when one future has failed and all futures before it have
/// succeeded. Without arguments it is completed.
///
/// ```swift
/// zip(name, picture, rating).onSuccess { name, picture, rating in show(name, picture, rating) }
/// ```
public func zip<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  let advance: @Sendable (_AsyncCore, Future<(repeat each Value), E>) -> Void = { _, all in
    do throws(E) {
      for future in repeat each futures {
        guard let result = future.result else { return }
        _ = try result.get()
      }
      all.tryComplete(.success((repeat try (each futures).completedValue.get())))
    } catch {
      all.tryComplete(.failure(error))
    }
  }
  return Future<(repeat each Value), E>(stopsSources: false) { all in
    for future in repeat each futures { link(future, to: all, step: advance) }
    advance(all, all)
  }
}

/// Returns a future of all values, as a tuple in the order of the futures, or of the first error in time.
///
/// It fails when any of the futures fails. The new future then leaves the pending ones, as in `firstCompleted()`.
///
/// ```swift
/// zipFailingFast(name, picture).onFailure { error in report(error) }
/// ```
public func zipFailingFast<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  let all = zip(repeat each futures)
  return Future<(repeat each Value), E>(stopsSources: true) { first in
    link(all, to: first) { all, first in first.tryComplete(all.completedValue) }
    for future in repeat each futures { linkFailure(of: future, to: first) }
  }
}

extension Sequence {
  /// Returns a future of all values, or of the first error, in the order of the sequence.
  ///
  /// It fails when one future has failed and all futures before it have succeeded. An empty sequence succeeds at
  /// once with an empty array.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequence().onSuccess { pictures in show(pictures) }
  /// ```
  ///
  /// Cancelling it stops the work of every future without another listener. If one future fails, the others continue.
  public func sequence<T, E>() -> Future<[T], E> where Element == Future<T, E> {
    let futures = Array(self)
    let progress = SequenceProgress(futures)
    let advance: @Sendable (_AsyncCore, Future<[T], E>) -> Void = { _, all in
      if let result = progress.advance() { all.tryComplete(result) }
    }
    return Future<[T], E>(stopsSources: false) { all in
      for future in futures where !future.isCompleted { link(future, to: all, step: advance) }
      advance(all, all)
    }
  }

  /// Returns a future of all values, in the order of the sequence, or of the first error in time.
  ///
  /// It fails when any of the futures fails. The new future then leaves the pending ones, as in ``firstCompleted()``.
  /// An empty sequence succeeds at once with an empty array.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequenceFailingFast().onFailure { error in report(error) }
  /// ```
  public func sequenceFailingFast<T, E>() -> Future<[T], E> where Element == Future<T, E> {
    let futures = Array(self)
    return Future<[T], E>(stopsSources: true) { first in
      link(futures.sequence(), to: first) { all, first in first.tryComplete(all.completedValue) }
      for future in futures { linkFailure(of: future, to: first) }
    }
  }

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
  /// If the returned future is cancelled, or its last listener leaves, the pending futures are left: their work is stopped. No more
  /// futures are made, unless the error type cannot represent a cancellation and the future has listeners. Then the next futures are
  /// made and left at once, until one fails.
  ///
  /// ```swift
  /// birds.traverse(maxConcurrent: 4) { bird in fetch(bird.picture) }.onSuccess { pictures in show(pictures) }
  /// ```
  @preconcurrency
  public func traverse<U, E>(
    _ context: @escaping ExecutionContext = DispatchQueue.global().context, maxConcurrent limit: Int,
    f: @escaping @Sendable (Element) -> Future<U, E>
  ) -> Future<[U], E> where Element: Sendable {
    let traversal = Traversal(Array(self), context, f)
    return Future<[U], E>(stopsSources: false) { all in
      if traversal.elements.isEmpty { all.tryComplete(.success([])) }
      for _ in 0..<Swift.min(Swift.max(limit, 1), traversal.elements.count) { traversal.makeNext(for: all) }
    }
  }

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

  /// Returns a future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// - Parameter p: A condition that is called for one value after the other, when all futures have succeeded.
  /// - Returns: A future of the value. It fails with ``FuturesError/noSuchElement`` if no value satisfies the
  ///   condition, or with the first error in the order of the sequence, wrapped in ``FuturesError/external(_:)``.
  @preconcurrency
  public func find<T, E>(_ p: @escaping @Sendable (T) -> Bool) -> Future<T, FuturesError<E>>
  where Element == Future<T, E> {
    find(defaultContext(), p: p)
  }

  /// Returns a future of the first value, in the order of the sequence, that satisfies a condition.
  @preconcurrency
  public func find<T, E>(
    _ context: @escaping ExecutionContext, p: @escaping @Sendable (T) -> Bool
  ) -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    sequence().mapError(immediateExecutionContext) { FuturesError.external($0) }
      .flatMapResult(context) { values -> Result<T, FuturesError<E>> in
        values.first(where: p).map { .success($0) } ?? .failure(.noSuchElement)
      }
  }
}

private func linkFailure<T, U, E>(of future: Future<T, E>, to first: Future<U, E>) {
  link(future, to: first) { future, first in
    if case .failure(let error) = future.completedValue { first.tryComplete(.failure(error)) }
  }
}

// MARK: The first value

extension Sequence {
  /// Returns a future of the first result, success or failure.
  ///
  /// The new future then leaves the others: stoppable work without another listener is cancelled. If several futures
  /// are completed already, the first of them in the order of the sequence wins. The future of an empty
  /// sequence never completes, and a wait for it ends as for a released promise.
  ///
  /// ```swift
  /// [fetch(from: near), fetch(from: far)].firstCompleted().onSuccess { show($0) }
  /// ```
  public func firstCompleted<T, E>() -> Future<T, E> where Element == Future<T, E> {
    race { future, first in first.tryComplete(future.completedValue) }
  }

  /// Returns a future of the first value in time, which fails only if all futures fail.
  ///
  /// The new future then leaves the others, as in ``firstCompleted()``.
  ///
  /// - Returns: A future of the value. For an empty sequence it fails with ``FuturesError/noSuchElement``. If all
  ///   futures fail, it fails with the error of the first one, wrapped in ``FuturesError/external(_:)``.
  ///
  /// ```swift
  /// mirrors.map(fetch(from:)).firstSuccess().onSuccess { show($0) }
  /// ```
  public func firstSuccess<T, E>() -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    let futures = Array(self)
    guard !futures.isEmpty else { return Future(error: .noSuchElement) }
    let pending = Countdown(from: futures.count)
    return futures.race { future, first in
      if case .success(let value) = future.completedValue { first.tryComplete(.success(value)) }
      guard pending.countDown(), let error = futures.first?.error else { return }
      first.tryComplete(.failure(.external(error)))
    }
  }

  /// Returns the results of the futures one by one, in the order of completion.
  ///
  /// ```swift
  /// for await result in pictures.resultsInCompletionOrder() { show(result) }
  /// ```
  ///
  /// If the iteration ends early, or its task is cancelled, the iteration leaves the pending futures: stoppable work
  /// without another listener is cancelled. A future whose promise was released cannot complete, and is skipped.
  ///
  /// - Returns: A stream of one result for each future, for a single iteration. Unread results are kept.
  public func resultsInCompletionOrder<T, E>() -> some AsyncSequence<Result<T, E>, Never> & Sendable
  where Element == Future<T, E> {
    let (stream, continuation) = AsyncStream<Result<T, E>>.makeStream()
    // Released with the links, when no result can come.
    let finish = Finish(continuation)
    let end: Future<Void, Never> = race { future, _ in finish.continuation.yield(future.completedValue) }
    continuation.onTermination = { _ in end.tryComplete(.success(())) }
    return stream
  }

  /// Returns a future that leaves the others when it is completed.
  private func race<T, E, U, NewError>(
    step: @escaping @Sendable (Future<T, E>, Future<U, NewError>) -> Void
  ) -> Future<U, NewError> where Element == Future<T, E> {
    Future<U, NewError>(stopsSources: true) { first in
      for future in self { link(future, to: first, step: step) }
    }
  }
}

// MARK: Progress

/// `@unchecked Sendable`: `lock` guards `completedCount`.
private final class SequenceProgress<T: Sendable, E: Error>: @unchecked Sendable {
  private let futures: [Future<T, E>]
  private let lock = Lock()
  private var completedCount = 0

  init(_ futures: [Future<T, E>]) {
    self.futures = futures
  }

  /// Returns the result if it is decided.
  func advance() -> Result<[T], E>? {
    let decided = lock.withLock { () -> Result<Void, E>? in
      while completedCount < futures.count, let result = futures[completedCount].result {
        if case .failure(let error) = result { return .failure(error) }
        completedCount += 1
      }
      return completedCount == futures.count ? .success(()) : nil
    }
    return decided?.map { futures.compactMap(\.value) }
  }
}

/// The futures of a traverse with a limit.
///
/// `@unchecked Sendable`: `lock` guards the variables.
private final class Traversal<Element: Sendable, U: Sendable, E: Error>: @unchecked Sendable {
  let elements: [Element]
  private let context: ExecutionContext
  private let f: @Sendable (Element) -> Future<U, E>
  private let lock = Lock()
  private var results: [Result<U, E>?]
  private var madeCount = 0
  private var firstUndecided = 0
  private var hasFailed = false

  init(
    _ elements: [Element], _ context: @escaping ExecutionContext, _ f: @escaping @Sendable (Element) -> Future<U, E>
  ) {
    self.elements = elements
    self.context = context
    self.f = f
    results = Array(repeating: nil, count: elements.count)
  }

  func makeNext(for all: Future<[U], E>) {
    let next = lock.withLock { () -> Int? in
      guard !hasFailed, madeCount < elements.count else { return nil }
      madeCount += 1
      return madeCount - 1
    }
    guard let index = next else { return }
    // An available value, so that a context that drops or repeats its work is treated as in any operator.
    link(Future<Void, Never>(value: ()), to: all, in: context) { _, all in
      link(self.f(self.elements[index]), to: all) { future, all in
        self.store(future.completedValue, at: index, for: all)
        self.makeNext(for: all)
      }
    }
  }

  private func store(_ result: Result<U, E>, at index: Int, for all: Future<[U], E>) {
    let decided = lock.withLock { () -> Result<[U], E>? in
      results[index] = result
      if case .failure = result { hasFailed = true }
      while firstUndecided < results.count, let result = results[firstUndecided] {
        if case .failure(let error) = result { return .failure(error) }
        firstUndecided += 1
      }
      return firstUndecided == results.count ? .success(results.compactMap { $0?.value }) : nil
    }
    if let decided { all.tryComplete(decided) }
  }
}

private final class Finish<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  deinit {
    continuation.finish()
  }
}
