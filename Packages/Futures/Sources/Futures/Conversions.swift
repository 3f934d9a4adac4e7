public import Parallel

extension Future {
  /// Creates a future that completes as another asynchronous result does.
  ///
  /// Cancelling it cancels the other one, if that is an ``Async`` or a ``Future`` that nobody else waits for.
  public convenience init<Other: AsyncType>(other: Other) where Other.Value == Result<T, E> {
    self.init(promised: ())
    let completer = Completer(self)
    if let other = other as? Async<Result<T, E>> {
      other.relay(to: self) { completer.complete($0) }
    } else {
      other.onComplete(immediateExecutionContext) { completer.complete($0) }
    }
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
  /// Cancelling the future cancels the task.
  ///
  /// ```swift
  /// Future { try await session.download(picture) }.onSuccess { show($0) }
  /// ```
  @preconcurrency
  public convenience init(
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () async throws(E) -> T
  ) {
    self.init(promised: ())
    let completer = Completer(self)
    let task = Task {
      do throws(E) {
        completer.complete(.success(try await work()))
      } catch {
        completer.complete(.failure(error))
      }
    }
    onCancel { task.cancel() }
  }
}

extension Future {
  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, this future is cancelled too, unless somebody else waits for it; see
  /// ``Async/cancel()``. The wait then ends with the error that stands for a cancellation, if the type of error has one
  /// (see ``CancellationRepresentable``). If it has none, the wait goes on until this future has completed: for a wait
  /// that ends at once, use `value(orCancelled:)`.
  ///
  /// When the promise was dropped, so that no result will come, the wait ends like a cancelled one.
  ///
  /// - Throws: The future's error; nothing when that is `Never`.
  public func get() async throws(E) -> T {
    if let result { return try result.get() }
    guard let cancelled = cancellation(as: E.self) else { return try await completion().get() }
    return try await value(orCancelled: cancelled)
  }

  /// Waits for the value, or until the waiting task is cancelled.
  ///
  /// As `get()`, with an error of your choice for a cancellation.
  ///
  /// - Parameter cancelled: What to throw when the waiting task is cancelled, or no result will come since the promise
  ///   was dropped.
  /// - Throws: The future's error, or `cancelled`.
  public func value(orCancelled cancelled: E) async throws(E) -> T {
    if let result { return try result.get() }
    guard let result = await Waiter(for: self, endsWhenCancelled: true).value() else { throw cancelled }
    return try result.get()
  }
}

extension Future where E == Never {
  /// Waits for the value, or until the waiting task is cancelled.
  ///
  /// ```swift
  /// let name = try await name.value(orCancelled: CancellationError())
  /// ```
  ///
  /// - Parameter cancelled: What to throw when the waiting task is cancelled, or no value will come since the promise was
  ///   dropped.
  /// - Throws: `cancelled`.
  public func value<Cancelled: Error>(orCancelled cancelled: Cancelled) async throws(Cancelled) -> T {
    if let value { return value }
    guard let result = await Waiter(for: self, endsWhenCancelled: true).value() else { throw cancelled }
    switch result {
    case .success(let value): return value
    }
  }
}

extension Async {
  /// The value as a `Parallel`: each run calls back with the one value, once it is there.
  ///
  /// The callback runs on the thread that completes this async, or at once when it is completed already.
  public final var parallel: Parallel<Value> {
    Parallel { callback in self.onComplete(immediateExecutionContext) { callback($0) } }
  }

  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, this async is cancelled too, unless somebody else waits for it; the wait itself
  /// goes on until there is a value.
  @_disfavoredOverload  // for `Future.get()`, which unwraps the result
  public final func get() async -> Value {
    await completion()
  }

  final func completion() async -> Value {
    if let result { return result }
    guard let value = await Waiter(for: self, endsWhenCancelled: false).value() else {
      preconditionFailure("A wait ended without its value.")
    }
    return value
  }
}
