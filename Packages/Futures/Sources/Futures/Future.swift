internal import Isolation

/// The result of an asynchronous operation that may fail: a value of type `T`, or an error of type `E`.
///
/// The work starts at once and runs once, for any number of listeners. A callback that is registered after the
/// completion still gets the result. With the error type `Never` a future cannot fail.
///
/// ```swift
/// session.dataFuture(with: url)
///   .map { data, _ in data }
///   .flatMapResult { data in Bird.decode(data) }
///   .onSuccess { birds in show(birds) }
///   .onFailure { error in report(error) }
/// ```
///
/// To create a future and complete it later, use a ``Promise``. A copy is the same future.
///
/// **Callbacks** are each called at most once, in the order of registration within one serial context, and never under a lock.
/// A slow context delays only its own callbacks. See <doc:Callbacks>.
///
/// **Threads.** The first completion wins. From then on every thread sees the result. A callback runs in its context.
/// Without a context, it runs on the actor where it was created, or else in ``defaultContext()``.
///
/// **Lifetime.** A future stays alive while something can complete it. It keeps its callbacks until they were called.
public struct Future<T: Sendable, E: Error>: AsyncType {
  // Not a class: each superclass multiplies the time that the compiler needs for a mistake in a chain, by two to four.
  @usableFromInline let core: FutureCore<T, E>

  @inlinable
  init(core: FutureCore<T, E>) {
    self.core = core
  }

  /// Creates a future that waits for several others.
  ///
  /// - Parameters:
  ///   - stopsSources: Whether the others are stopped when this future is completed without them.
  ///   - link: A function that links the others to its argument. The future is not abandoned before it returns.
  @inlinable
  init(stopsSources: Bool, link: (FutureCore<T, E>) -> Void) {
    core = FutureCore(completers: 1, stopsSources: stopsSources)
    link(core)
    core.completerHasEnded(nil)
  }
}

// MARK: Creating

extension Future {
  /// Creates a future that a function, the *scope*, completes.
  ///
  /// - Parameter scope: A function that is called once, before this returns. The first call of its argument, from any thread, completes the
  ///   future. If the argument is released without a call, the future stays pending and releases its callbacks.
  @preconcurrency
  public init(_ scope: (@escaping @Sendable (Result<T, E>) -> Void) -> Void) {
    core = FutureCore(completers: 1)
    let promise = Promise(completing: core)
    scope { promise.complete($0) }
  }

  /// Creates a future that stays pending for ever, and releases its callbacks at once.
  ///
  /// To complete a future later, use a ``Promise``.
  public init() {
    self.init(stopsSources: true) { _ in }
  }

  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope or work
  public init(result: Result<T, E>) {
    core = FutureCore(result: result)
  }

  /// A trailing closure is not the value: it is a scope, or work.
  ///
  /// See <doc:WhichWhen>.
  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope or work
  public init(value: T) {
    self.init(result: .success(value))
  }

  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope or work
  public init(error: E) {
    self.init(result: .failure(error))
  }

  /// Creates a future with the result of another asynchronous operation.
  ///
  /// Cancelling the new future also stops the work of an ``Async`` or a ``Future`` without another listener.
  public init<Other: AsyncType>(other: Other) where Other.Value == Result<T, E> {
    core = FutureCore(completers: 0)
    core.follow(any: other) { $0 }
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
  public init(
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) () async throws(E) -> T
  ) {
    core = FutureCore(completers: 1)
    let promise = Promise(completing: core)
    let task = Task {
      do throws(E) {
        promise.success(try await work())
      } catch {
        promise.failure(error)
      }
    }
    core.addHandler { task.cancel() }
  }

  /// Starts work without `await` in a task, on the actor where it was created, and creates a future of its value.
  ///
  /// Without this form, the compiler would take the closure as the value inside of `flatMap`.
  @preconcurrency
  public init(@_inheritActorContext _ work: @escaping @Sendable @isolated(any) () -> T) {
    self.init { () async throws(E) in await work() }
  }
}

// MARK: Reading

extension Future {
  /// The result, or `nil` while the future is pending.
  @inlinable public var result: Result<T, E>? { core.result }

  @inlinable public var value: T? { result?.value }

  @inlinable public var error: E? { result?.error }

  @inlinable public var isSuccess: Bool { value != nil }

  @inlinable public var isFailure: Bool { error != nil }
}

/// Returns whether both are the same future: one is a copy of the other.
public func === <T, E>(left: Future<T, E>?, right: Future<T, E>?) -> Bool { left?.core === right?.core }

extension Future: CoreOwner {
  var anyCore: AnyFutureCore { core }
}

extension Future: CustomStringConvertible {
  public var description: String {
    let state =
      switch result {
      case .success(let value)?: "success: \(value)"
      case .failure(let error)?: "failure: \(error)"
      case nil: "pending"
      }
    return "Future<\(T.self), \(E.self)>(\(state))"
  }
}

extension Result {
  public var value: Success? {
    if case .success(let value) = self { value } else { nil }
  }

  public var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

// MARK: Listening and cancelling

extension Future {
  /// Calls back when the result is available, in a context.
  ///
  /// In the immediate context and on a completed future, the callback runs before this returns. If 32 callbacks are nested already, it runs
  /// before the outermost of them returns.
  @inlinable
  @preconcurrency
  @discardableResult
  public func onComplete(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (Result<T, E>) -> Void
  ) -> Self {
    core.register(Callback(in: context) { callback(unsafeDowncast($0, to: FutureCore<T, E>.self).completedResult) })
    return self
  }

  /// Cancels the future and the work that it waits for.
  ///
  /// If the error type can represent a cancellation (see ``CancellationRepresentable``), the future fails with that
  /// error at once. Other futures stay pending until the work has ended. A completed future does not change.
  ///
  /// The future leaves the futures that it waits for. Work without another listener is stopped: its ``Promise/onCancel(_:)`` handlers are
  /// called, or its task is cancelled. If the future failed at once, the functions in between are not called. See <doc:Cancellation>.
  ///
  /// Handlers and callbacks in the immediate context run before this returns. If 32 callbacks are nested already, they run before the
  /// outermost of them returns, and until then other results are ignored.
  ///
  /// ```swift
  /// let picture = session.dataFuture(with: url).map { data, _ in data }
  /// picture.cancel()  // ends the request
  /// ```
  public func cancel() {
    core.cancel()
  }
}
