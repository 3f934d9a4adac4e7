extension Future {
  /// Creates a future with the result of another asynchronous operation.
  ///
  /// Cancelling the new future also stops the work of the other operation, if that is an ``Async`` or a ``Future``
  /// without another listener.
  public convenience init<Other: AsyncType>(other: Other) where Other.Value == Result<T, E> {
    self.init(promised: ())
    Completer(self).complete(with: other)
  }

  /// Starts asynchronous work in a task, on the actor where it was created, and creates a future of its outcome.
  ///
  /// The task is cancelled when the future is cancelled or its last listener leaves.
  ///
  /// ```swift
  /// Future { try await session.download(picture) }.onSuccess { show($0) }
  /// ```
  ///
  /// A closure with `try` makes the error type `any Error`, unless it names the type that it throws. A closure without
  /// `try` can have any error type, and has `Never` if nothing else decides. <doc:WhichWhen> lists the forms that need
  /// a type inside of `flatMap`.
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
    addHandler(WorkHandler { task.cancel() })
  }
}

extension Future {
  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, the task leaves the future: work without another listener is stopped, see
  /// ``Async/cancel()``. The wait then throws the cancellation value of the error type (see
  /// ``CancellationRepresentable``), or ends with the result that an ``Promise/onCancel(_:)`` handler gave the future.
  /// Without such a value, the wait continues until the future is completed. `value(orCancelled:)` ends at once for
  /// every error type.
  ///
  /// If the promise is released before it completed the future, the wait also throws the cancellation value. Without
  /// such a value the program stops, see <doc:Cancellation>.
  ///
  /// - Throws: The future's error. A future whose error is `Never` throws nothing.
  @inlinable
  public func get() async throws(E) -> T {
    if let result { return try result.get() }
    return try await wait().get()
  }

  @usableFromInline
  func wait() async -> Result<T, E> {
    let cancelled: E? = cancellation(as: E.self)
    if let result = await Waiter(for: self, whenCancelled: cancelled == nil ? .continuesWaiting : .endsWithResult)
      .value()
    {
      return result
    }
    guard let cancelled else {
      failAbandonedWait(for: self, "the error type lacks a cancellation value", insteadUse: "value(orCancelled:)")
    }
    return .failure(cancelled)
  }

  /// Waits for the value, or until the waiting task is cancelled.
  ///
  /// - Parameter cancelled: The error to throw when the waiting task is cancelled, or the promise was released.
  /// - Throws: The future's error, or `cancelled`.
  public func value(orCancelled cancelled: E) async throws(E) -> T {
    if let result { return try result.get() }
    guard let result = await Waiter(for: self, whenCancelled: .endsWithoutValue).value() else { throw cancelled }
    return try result.get()
  }
}

/// Not a `preconditionFailure`, because an optimised program does not print its message.
package func failAbandonedWait(
  for async: some AsyncType, _ reason: String? = nil, insteadUse alternative: String? = nil
) -> Never {
  let core = async as? _AsyncCore
  let cause =
    core?.releasedOrigin.map { "the promise created at \($0.place) was released before it completed the future" }
    ?? "its promise was released, a context discarded its work, or it is firstCompleted() of no futures"
  let reasons = [cause, reason].compactMap(\.self).joined(separator: ", and ")
  let alternative = alternative.map { ", or wait with \($0)" } ?? ""
  fatalError(
    "Cannot wait for \(core?.typeText ?? "a value of type \(type(of: async))"): \(reasons). "
      + "Complete it on every path\(alternative).")
}

extension Future where E == Never {
  /// Waits for the value, or until the waiting task is cancelled.
  ///
  /// ```swift
  /// let name = try await name.value(orCancelled: CancellationError())
  /// ```
  ///
  /// - Parameter cancelled: The error to throw when the waiting task is cancelled, or the promise was released.
  /// - Throws: `cancelled`.
  public func value<Cancelled: Error>(orCancelled cancelled: Cancelled) async throws(Cancelled) -> T {
    if let value { return value }
    guard let result = await Waiter(for: self, whenCancelled: .endsWithoutValue).value() else { throw cancelled }
    return result.get()
  }
}

extension Async {
  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, the task leaves the async, but the wait continues until the async is
  /// completed. If the promise was released, that is impossible, and the program stops, see <doc:Cancellation>.
  @_disfavoredOverload  // for `Future.get()`, which unwraps the result
  public final func get() async -> Value {
    if let result { return result }
    guard let value = await Waiter(for: self, whenCancelled: .continuesWaiting).value() else {
      failAbandonedWait(for: self)
    }
    return value
  }
}
