internal import Isolation

/// A value that becomes available later, for any number of listeners.
///
/// Most programs use ``Async`` and ``Future``. `onSuccess` and `onFailure` extend this protocol, so your own conforming type
/// has them too. For other operations, convert it with `Future(other:)`.
public protocol AsyncType<Value>: Sendable {
  /// The outcome of the asynchronous operation: a `Result` if it can fail.
  associatedtype Value: Sendable

  /// Creates a value that a scope completes.
  ///
  /// - Parameter scope: A function that is called once, before this returns. Calling its argument, from any thread,
  ///   completes the operation. Later calls are ignored.
  init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void)

  var result: Value? { get }

  /// Calls back when the value is available, in a context.
  @preconcurrency
  @discardableResult
  func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self
}

/// A value that becomes available later.
///
/// The work starts at once and runs once, for any number of listeners. A callback that is registered after the
/// completion still gets the value.
///
/// ```swift
/// let answer = Async<Int> { complete in complete(42) }
/// answer.onComplete { print($0) }
/// ```
///
/// **Callbacks** are each called at most once: once if the async is completed and the context runs the work. A
/// completion passes the registered ones to their contexts in the order of registration and does not wait for these contexts. So
/// they run in that order in one serial context, and a slow context delays only its own callbacks. No lock is
/// held, so a callback may complete other asyncs, register callbacks, or release the last reference.
///
/// **Threads.** The first completion wins. From then on every thread sees the result. A callback runs in its context.
/// Without a context, it runs on the actor where it was created, or else in ``defaultContext()``.
///
/// **Cancellation.** See ``cancel()`` and <doc:Cancellation>.
///
/// **Lifetime.** An async stays alive while something can complete it. It keeps its callbacks until they were called.
///
/// `@unchecked Sendable`: the lock of `_AsyncCore` guards `storage`; it is written once, before the completion is published.
public class Async<Value: Sendable>: _AsyncCore, AsyncType, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) final var storage: Value?

  /// Creates an async that a function, the *scope*, completes.
  ///
  /// - Parameter scope: A function that is called once, before this returns. Calling its argument, from any thread,
  ///   completes the async. Later calls are ignored. If the argument is released before it was called, the async stays
  ///   pending and releases its callbacks.
  @preconcurrency
  public required init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
    super.init(completers: 1)
    let completer = Completer(self)
    scope { completer.complete($0) }
  }

  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope
  public init(result: Value) {
    storage = result
    super.init(completers: 0, isCompleted: true)
  }

  /// Creates a pending async.
  @usableFromInline
  init(completers: Int32, stopsSources: Bool = true) {
    super.init(completers: completers, stopsSources: stopsSources)
  }

  /// The value, or `nil` while the async is pending.
  @inlinable public final var result: Value? { hasResult ? storage : nil }

  @inlinable public final var isCompleted: Bool { hasResult }

  /// The value of a completed async.
  @inlinable final var completedValue: Value { storage.unsafelyUnwrapped }

  /// Calls back when the value is available, on the actor where the callback was created, or in ``defaultContext()``.
  @preconcurrency
  @discardableResult
  public final func onComplete(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Self {
    onComplete(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back when the value is available, in a context.
  ///
  /// In the immediate context and on a completed async, the callback runs before this call returns, unless 32 callbacks
  /// are nested already. Then it runs before the outermost of them returns.
  @inlinable
  @preconcurrency
  @discardableResult
  public final func onComplete(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void
  ) -> Self {
    register(Callback<Async<Value>>(in: context) { callback($0.completedValue) })
    return self
  }

  /// Cancels the async and the work that it waits for.
  ///
  /// If the error type can represent a cancellation (see ``CancellationRepresentable``), the future fails with that
  /// error at once. Other futures stay pending until the work has ended. A completed async does not change.
  ///
  /// The async leaves the asyncs that it waits for. Work without another listener is stopped: its
  /// ``Promise/onCancel(_:)`` handlers are called, or its task is cancelled. If the
  /// future failed at once, the functions in between are not called.
  ///
  /// Handlers and callbacks in the immediate context run before this returns. If a handler or callback calls this
  /// method, it may return before the upstream work was stopped.
  ///
  /// ```swift
  /// let picture = session.dataFuture(with: url).map { data, _ in data }
  /// picture.cancel()  // ends the request
  /// ```
  public final func cancel() {
    cancelWork()
  }

  @inlinable
  @discardableResult
  final func tryComplete(_ value: Value) -> Bool {
    complete { storage = value }
  }

  public var description: String { "Async<\(Value.self)>(\(String(describing: result)))" }

  /// Takes the result of another asynchronous operation when it has one.
  final func follow<Other: AsyncType>(any other: Other) where Other.Value == Value {
    if let other = other as? Async<Value> { return follow(other) }
    addCompleter()
    let completer = Completer(self)
    other.onComplete(immediateExecutionContext) { completer.complete($0) }
  }

  @usableFromInline
  final func follow(_ other: Async<Value>) {
    if other === self {
      guard isPending else { return }
      fatalError(
        "Cannot complete \(self) with itself: it would wait for its own result. Complete it with another future.")
    }
    link(other, to: self) { other, this in this.tryComplete(other.completedValue) }
  }
}

extension Async: CustomStringConvertible, CustomDebugStringConvertible {
  public var debugDescription: String { description }
}

/// The argument of a scope.
///
/// If it is released before it was called, the async releases its callbacks.
final class Completer<Value: Sendable>: Sendable {
  private let async: Async<Value>

  init(_ async: Async<Value>) {
    self.async = async
  }

  deinit {
    async.completerHasEnded(nil)
  }

  func complete(_ value: Value) {
    async.tryComplete(value)
  }
}
