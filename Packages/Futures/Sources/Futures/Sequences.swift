public import Dispatch
internal import Isolation

// MARK: All values

extension Future {
  /// Returns a future of both values as a tuple.
  ///
  /// If this future fails, the new future fails at once. If only the other one fails, it fails when this one has
  /// succeeded. If both fail, it has this one's error.
  @inlinable
  public func zip<U>(_ other: Future<U, E>) -> Future<(T, U), E> {
    let advance: @Sendable (AnyFutureCore, FutureCore<(T, U), E>) -> Void = { _, both in
      switch (self.result, other.result) {
      case (.failure(let error)?, _), (.success?, .failure(let error)?): both.tryComplete(.failure(error))
      case (.success(let value)?, .success(let otherValue)?): both.tryComplete(.success((value, otherValue)))
      default: break
      }
    }
    return Future<(T, U), E>(stopsSources: false) { both in
      link(core, to: both, step: advance)
      link(other.core, to: both, step: advance)
    }
  }

  /// Creates a future that waits until all futures have succeeded, or one has failed and all before it have succeeded.
  ///
  /// - Parameter complete: A function that then completes the future. It may be called again.
  @usableFromInline
  init(all futures: [AnyFutureCore], complete: @escaping @Sendable (FutureCore<T, E>) -> Void) {
    let progress = Progress(of: futures)
    let advance: @Sendable (AnyFutureCore, FutureCore<T, E>) -> Void = { _, all in
      if progress.isDecided() { complete(all) }
    }
    self.init(stopsSources: false) { all in
      for future in futures where !future.hasResult { link(future, to: all, step: advance) }
      advance(all, all)
    }
  }
}

/// Returns a future of all values, as a tuple in the order of the futures, or of the first error in that order.
///
/// It fails when one future has failed and all before it have succeeded.
///
/// ```swift
/// zip(name, picture, rating).onSuccess { name, picture, rating in show(name, picture, rating) }
/// ```
@inlinable
public func zip<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  var all: [AnyFutureCore] = []
  for future in repeat each futures { all.append(future.core) }
  return Future(all: all) { all in
    do throws(E) {
      all.tryComplete(.success((repeat try (each futures).core.completedResult.get())))
    } catch {
      all.tryComplete(.failure(error))
    }
  }
}

/// Returns a future of all values, as a tuple in the order of the futures, or of the first error in time.
///
/// When it fails, it leaves the pending futures, as `firstCompleted()` does.
///
/// ```swift
/// zipFailingFast(name, picture).onFailure { error in report(error) }
/// ```
public func zipFailingFast<each Value: Sendable, E>(
  _ futures: repeat Future<each Value, E>
) -> Future<(repeat each Value), E> {
  let all = zip(repeat each futures)
  return Future<(repeat each Value), E>(stopsSources: true) { first in
    link(all.core, to: first) { all, first in first.tryComplete(all.completedResult) }
    for future in repeat each futures { linkFailure(of: future, to: first) }
  }
}

extension Sequence {
  /// Returns a future of all values, or of the first error, in the order of the sequence.
  ///
  /// It fails when one future has failed and all before it have succeeded. The others then continue. An empty sequence succeeds at once.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequence().onSuccess { pictures in show(pictures) }
  /// ```
  @inlinable
  public func sequence<T, E>() -> Future<[T], E> where Element == Future<T, E> {
    let futures = Array(self)
    var cores: [AnyFutureCore] = []
    cores.reserveCapacity(futures.count)
    // Not `map`, which makes an allocation for each element where it is not specialised.
    for future in futures { cores.append(future.core) }
    return Future(all: cores) { all in
      do throws(E) {
        all.tryComplete(.success(try futures.map { future throws(E) in try future.core.completedResult.get() }))
      } catch {
        all.tryComplete(.failure(error))
      }
    }
  }

  /// Returns a future of all values, in the order of the sequence, or of the first error in time.
  ///
  /// When it fails, it leaves the pending futures, as ``firstCompleted()`` does. An empty sequence succeeds at once.
  ///
  /// ```swift
  /// birds.map(picture(of:)).sequenceFailingFast().onFailure { error in report(error) }
  /// ```
  public func sequenceFailingFast<T, E>() -> Future<[T], E> where Element == Future<T, E> {
    let futures = Array(self)
    return Future<[T], E>(stopsSources: true) { first in
      link(futures.sequence().core, to: first) { all, first in first.tryComplete(all.completedResult) }
      for future in futures { linkFailure(of: future, to: first) }
    }
  }

  /// Makes a future from each element, and returns a future of all their values, or of the first error, in the order of
  /// the elements.
  ///
  /// `f` is called for all elements, in order, before the first wait. An empty sequence succeeds.
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
  /// The returned future fails with the first error in the order of the elements. After the first failure in time, no more futures are
  /// made, and pending ones continue. An empty sequence succeeds. A limit below 1 counts as 1.
  ///
  /// If the returned future is cancelled, or its last listener leaves, the pending futures are left, and no more are made.
  /// <doc:Cancellation> has the exception for error types that cannot represent a cancellation.
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

  @preconcurrency
  public func fold<T, E, Combined>(
    _ context: @escaping ExecutionContext, zero: Combined, f: @escaping @Sendable (Combined, T) -> Combined
  ) -> Future<Combined, E> where Element == Future<T, E> {
    sequence().map(context) { $0.reduce(zero, f) }
  }

  /// Returns a future of the first value, in the order of the sequence, that satisfies a condition.
  ///
  /// The condition is called for one value after the other, when all futures have succeeded. The future fails with
  /// ``FuturesError/noSuchElement``, or with the first error in the order of the sequence, wrapped in ``FuturesError/external(_:)``.
  @preconcurrency
  public func find<T, E>(_ p: @escaping @Sendable (T) -> Bool) -> Future<T, FuturesError<E>>
  where Element == Future<T, E> {
    find(defaultContext(), p: p)
  }

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

private func linkFailure<T, U, E>(of future: Future<T, E>, to first: FutureCore<U, E>) {
  link(future.core, to: first) { future, first in
    if case .failure(let error) = future.completedResult { first.tryComplete(.failure(error)) }
  }
}

// MARK: The first value

extension Sequence {
  /// Returns a future of the first result, success or failure.
  ///
  /// The new future then leaves the others: stoppable work without another listener is cancelled. Of several completed futures, the first
  /// one in the sequence wins. The future of an empty sequence never completes, and a wait for it ends as for a released promise.
  ///
  /// ```swift
  /// [fetch(from: near), fetch(from: far)].firstCompleted().onSuccess { show($0) }
  /// ```
  public func firstCompleted<T, E>() -> Future<T, E> where Element == Future<T, E> {
    race { future, first in first.tryComplete(future.completedResult) }
  }

  /// Returns a future of the first value in time, which fails only if all futures fail.
  ///
  /// The new future then leaves the others, as in ``firstCompleted()``. If all fail, its error is that of the first future, wrapped in
  /// ``FuturesError/external(_:)``. For an empty sequence it is ``FuturesError/noSuchElement``. Futures whose promise was released are
  /// skipped.
  ///
  /// ```swift
  /// mirrors.map(fetch(from:)).firstSuccess().onSuccess { show($0) }
  /// ```
  public func firstSuccess<T, E>() -> Future<T, FuturesError<E>> where Element == Future<T, E> {
    let futures = Array(self)
    guard !futures.isEmpty else { return Future(error: .noSuchElement) }
    let pending = Countdown(from: futures.count)
    return futures.race(includesAbandoned: true) { future, first in
      if let value = future.result?.value { first.tryComplete(.success(value)) }
      guard pending.countDown(), let error = futures.lazy.compactMap(\.error).first else { return }
      first.tryComplete(.failure(.external(error)))
    }
  }

  /// Returns the results of the futures one by one, in the order of completion.
  ///
  /// ```swift
  /// for await result in pictures.resultsInCompletionOrder() { show(result) }
  /// ```
  ///
  /// An iteration that ends early, or whose task is cancelled, leaves the pending futures: stoppable work without another listener is
  /// cancelled. Futures whose promise was released are skipped.
  ///
  /// - Returns: A stream for a single iteration. Unread results are kept.
  public func resultsInCompletionOrder<T, E>() -> some AsyncSequence<Result<T, E>, Never> & Sendable
  where Element == Future<T, E> {
    let futures = Array(self)
    let (stream, continuation) = AsyncStream<Result<T, E>>.makeStream()
    let pending = Countdown(from: futures.count)
    let end: Future<Void, Never> = futures.race(includesAbandoned: true) { future, _ in
      if let result = future.result { continuation.yield(result) }
      if pending.countDown() { continuation.finish() }
    }
    if futures.isEmpty { continuation.finish() }
    continuation.onTermination = { _ in end.core.tryComplete(.success(())) }
    return stream
  }

  /// Returns a future that leaves the others when it is completed.
  private func race<T, E, U, NewError>(
    includesAbandoned: Bool = false, step: @escaping @Sendable (FutureCore<T, E>, FutureCore<U, NewError>) -> Void
  ) -> Future<U, NewError> where Element == Future<T, E> {
    Future<U, NewError>(stopsSources: true) { first in
      for future in self { link(future.core, to: first, includesAbandoned: includesAbandoned, step: step) }
    }
  }
}

// MARK: Progress

/// The progress of futures whose results count in order.
///
/// `@unchecked Sendable`: `lock` guards `succeededCount`.
private final class Progress: @unchecked Sendable {
  private let futures: [AnyFutureCore]
  private let lock = Lock()
  private var succeededCount = 0

  init(of futures: [AnyFutureCore]) {
    self.futures = futures
  }

  /// Returns whether all have succeeded, or one has failed and all before it have succeeded.
  func isDecided() -> Bool {
    lock.withLock {
      while succeededCount < futures.count, futures[succeededCount].hasResult {
        if futures[succeededCount].hasFailed { return true }
        succeededCount += 1
      }
      return succeededCount == futures.count
    }
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

  func makeNext(for all: FutureCore<[U], E>) {
    let next = lock.withLock { () -> Int? in
      guard !hasFailed, madeCount < elements.count else { return nil }
      madeCount += 1
      return madeCount - 1
    }
    guard let index = next else { return }
    // An available value, so that a context that drops or repeats its work is treated as in any operator.
    link(FutureCore<Void, Never>(result: .success(())), to: all, in: context) { _, all in
      link(self.f(self.elements[index]).core, to: all) { future, all in
        self.store(future.completedResult, at: index, for: all)
        self.makeNext(for: all)
      }
    }
  }

  private func store(_ result: Result<U, E>, at index: Int, for all: FutureCore<[U], E>) {
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
