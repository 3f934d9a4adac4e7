extension Sequence {
  /// The results of the futures one by one, as they come.
  ///
  /// ```swift
  /// for await result in pictures.resultsInCompletionOrder() { show(result) }
  /// ```
  ///
  /// The iteration may be left early, or its task cancelled: the futures that are still under way are cancelled then, except
  /// those that somebody else waits for. Futures that can never complete, since their promises were dropped, are left out.
  ///
  /// - Returns: As many results as there are futures, for one iteration. What has come and was not asked for yet is kept.
  public func resultsInCompletionOrder<T, E>() -> some AsyncSequence<Result<T, E>, Never> & Sendable
  where Element == Future<T, E> {
    let futures = Array(self)
    let (stream, feed) = ResultFeed.makeStream(of: futures)
    for future in futures { feed.yield(future) { _ in } }
    return stream
  }

  /// The results of the futures one by one, in the order of the sequence.
  ///
  /// As ``resultsInCompletionOrder()``, but each waits for those before it, and the iteration ends at the first that can
  /// never complete.
  ///
  /// - Returns: As many results as there are futures, for one iteration. What has come and was not asked for yet is kept.
  public func resultsInListOrder<T, E>() -> some AsyncSequence<Result<T, E>, Never> & Sendable
  where Element == Future<T, E> {
    let futures = Array(self)
    let (stream, feed) = ResultFeed.makeStream(of: futures)
    @Sendable func yieldNext(_ index: Int, _ feed: ResultFeed<T, E>) {
      guard index < futures.count else { return }
      feed.yield(futures[index]) { feed in yieldNext(index + 1, feed) }
    }
    yieldNext(0, feed)
    return stream
  }
}

/// What feeds a stream with the results of futures, for as long as somebody iterates; the stream ends when it goes.
private final class ResultFeed<T: Sendable, E: Error>: Sendable {
  private let continuation: AsyncStream<Result<T, E>>.Continuation
  /// Completes when nobody iterates any more, and then leaves the futures.
  private let end = Async<Void>(promised: ())

  private init(_ futures: [Future<T, E>], _ continuation: AsyncStream<Result<T, E>>.Continuation) {
    self.continuation = continuation
    // Whose turn has not come yet is wanted, until the end; then it is left like the others.
    end.beginWaiting(for: ManyUpstreams([SuccessiveUpstreams(futures), ManyUpstreams(futures)]))
    continuation.onTermination = { [end] _ in end.tryComplete(()) }
  }

  /// A stream, and what feeds it; the feed does not hold the stream, which shall go when nobody iterates.
  static func makeStream(of futures: [Future<T, E>]) -> (AsyncStream<Result<T, E>>, ResultFeed) {
    let (stream, continuation) = AsyncStream<Result<T, E>>.makeStream()
    return (stream, ResultFeed(futures, continuation))
  }

  deinit {
    continuation.finish()
  }

  func yield(_ future: Future<T, E>, _ goOn: @escaping @Sendable (ResultFeed) -> Void) {
    future.register(
      Relay<Result<T, E>>(to: end) { result in
        self.continuation.yield(result)
        goOn(self)
      })
  }
}
