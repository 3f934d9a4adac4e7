extension Sequence {
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
    let futures = Array(self)
    let (stream, continuation) = AsyncStream<Result<T, E>>.makeStream()
    // Completes when the iteration ends, and then leaves the futures.
    let end: Future<Void, Never> = makeRace(futures) { completer in
      // Released, with the relays, when no result can come.
      let finish = Finish(continuation)
      for future in futures {
        future.relayCounted(to: completer) { result in
          finish.continuation.yield(result)
          return nil
        }
      }
    }
    continuation.onTermination = { _ in end.tryComplete(.success(())) }
    return stream
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
