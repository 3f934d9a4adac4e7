public import Parallel

extension Future {
  /// Creates a future that completes as another asynchronous result does.
  public convenience init<Other: AsyncType>(other: Other) where Other.Value == Result<T, E> {
    self.init { complete in other.onComplete(immediateExecutionContext, callback: complete) }
  }

  /// Runs a parallel, at once, and creates a future of its value.
  ///
  /// The parallel runs once, however many listen to the future.
  @_disfavoredOverload  // for the parallel of a result, which would fit here too
  public convenience init(_ parallel: Parallel<T>) where E == Never {
    self.init { complete in parallel.run { complete(.success($0)) } }
  }

  /// Runs a parallel of a result, at once, and creates a future of it.
  ///
  /// The parallel runs once, however many listen to the future.
  public convenience init(_ parallel: Parallel<Result<T, E>>) {
    self.init { complete in parallel.run { complete($0) } }
  }

  /// Starts asynchronous work in a task, on the actor that it was formed on, and creates a future of its outcome.
  ///
  /// ```swift
  /// Future { try await session.download(picture) }.onSuccess { show($0) }
  /// ```
  @preconcurrency
  public convenience init(
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () async throws(E) -> T
  ) {
    self.init { complete in
      Task {
        do throws(E) {
          complete(.success(try await work()))
        } catch {
          complete(.failure(error))
        }
      }
    }
  }

  /// Waits for the value.
  ///
  /// Cancelling the waiting task does not end the wait: use ``Async/parallel`` and its `value()` for one that does.
  ///
  /// - Throws: The future's error; nothing when that is `Never`.
  public func get() async throws(E) -> T {
    try await completion().get()
  }
}

extension Async {
  /// The value as a `Parallel`: each run calls back with the one value, once it is there.
  ///
  /// The callback runs on the thread that completes this async, or at once when it is completed already.
  public final var parallel: Parallel<Value> {
    Parallel { callback in self.onComplete(immediateExecutionContext) { callback($0) } }
  }

  /// Waits for the value, also when the waiting task is cancelled.
  @_disfavoredOverload  // for `Future.get()`, which unwraps the result
  public final func get() async -> Value {
    await completion()
  }

  final func completion() async -> Value {
    if let result { return result }
    return await withUnsafeContinuation { continuation in
      onComplete(immediateExecutionContext) { continuation.resume(returning: $0) }
    }
  }
}
