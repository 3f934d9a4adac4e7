internal import Isolation

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
/// completion passes them to their contexts in the order of registration and does not wait for these contexts. So
/// callbacks in one serial context run in that order, and a slow context delays only its own callbacks. No lock is
/// held, so a callback may complete other asyncs, register callbacks, or release the last reference.
///
/// **Threads.** The first completion wins. From then on every thread sees the result. A callback runs in its context.
/// Without a context, it runs on the actor where it was created, or else in ``defaultContext()``.
///
/// **Cancellation.** A listener that leaves never completes a future whose promise lacks an `onCancel` handler. It can
/// only stop work that has such a handler and no other listener. A function that was passed to an operator such as
/// `map` is called at most once. It is not called if the new future was cancelled before, or has lost its last
/// listener. ``cancel()`` completes the future itself. See <doc:Cancellation>.
///
/// **Lifetime.** An async stays alive while something can complete it. It keeps its callbacks until they were called.
///
/// `@unchecked Sendable`: see `_AsyncCore`.
public class Async<Value: Sendable>: _AsyncStorage<Value?>, AsyncType, @unchecked Sendable {
  /// Creates an async that a function, the *scope*, completes.
  ///
  /// - Parameter scope: A function that is called once, before this returns. Calling its argument, from any thread,
  ///   completes the async. Later calls are ignored. If the argument is released before it was called, the async stays
  ///   pending and releases its callbacks.
  @preconcurrency
  public required init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
    super.init(nil, .promised, reaction: noReaction)
    let completer = Completer(self)
    scope { completer.complete($0) }
  }

  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is a scope
  public init(result: Value) {
    super.init(result, .completed, reaction: noReaction)
  }

  @inlinable
  init(derived reaction: @escaping Reaction) {
    super.init(nil, .derived, reaction: reaction)
  }

  @inlinable
  init(promised: Void) {
    super.init(nil, .promised, reaction: noReaction)
  }

  /// The value, or `nil` while the async is pending.
  ///
  /// If all listeners of a derived future have left, reading this counts as a listener: the future waits for its
  /// upstream again. If the upstream is completed, the transform is passed to its context, and an immediate one runs
  /// before this returns. The same holds for the properties that read the result, such as ``isCompleted`` and
  /// ``Future/value``, but not for ``description``.
  @inlinable public final var result: Value? {
    if hasResult { return storage }
    let resolved = unsafeDowncast(resolved, to: Async<Value>.self)
    return resolved.hasResult ? resolved.storage : nil
  }

  @inlinable public final var isCompleted: Bool { hasResult || resolved.hasResult }

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
  /// In the immediate context and on a completed async, the callback runs before this call returns, unless 48 callbacks
  /// are nested already. Then it runs before the outermost of them returns.
  @inlinable
  @preconcurrency
  @discardableResult
  public final func onComplete(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void
  ) -> Self {
    let isImmediate = isImmediate(context)
    if isImmediate {
      if reactNow({ callback($0) }) != nil { return self }
      let isRegistered = listenToItself { listener, upstream, _ in
        listener.reaction = noReaction
        callback(unsafeDowncast(upstream, to: Async<Value>.self).completedValue)
        return true
      }
      if isRegistered { return self }
    }
    let listener = CallbackListener(callback) { listener, upstream, isInContext in
      guard isInContext else { return false }
      let listener = unsafeDowncast(listener, to: CallbackListener<Value>.self)
      listener.function(unsafeDowncast(upstream, to: Async<Value>.self).completedValue)
      return true
    }
    register(listener, in: isImmediate ? nil : context)
    return self
  }

  /// Cancels the async and the work that it waits for.
  ///
  /// If the error type can represent a cancellation (see ``CancellationRepresentable``), the future fails with that
  /// error at once. Other futures stay pending until the work has ended. A completed async does not change.
  ///
  /// The async leaves the asyncs that it waits for. Work without another listener is stopped: its
  /// ``Promise/onCancel(_:)`` handlers are called, or its task is cancelled. If the
  /// future failed at once, the transforms in between are not called.
  ///
  /// Handlers and callbacks in the immediate context run before this returns. If a handler or callback calls this
  /// method, it may return before the upstream work was stopped.
  ///
  /// ```swift
  /// let picture = session.dataFuture(with: url).map { data, _ in data }
  /// picture.cancel()  // ends the request
  /// ```
  public final func cancel() {
    Trampoline.current.cancel(self)
  }

  @inlinable
  @discardableResult
  final func tryComplete(_ value: Value) -> Bool {
    guard beginCompletion() else { return false }
    storage = value
    endCompletion()
    return true
  }

  override var typeText: String { "an \(Async<Value>.self)" }

  final override func complete(from upstream: _AsyncCore) {
    tryComplete(unsafeDowncast(upstream, to: Async<Value>.self).completedValue)
  }

  @inlinable final var completedValue: Value { storage.unsafelyUnwrapped }

  @inlinable
  final func reactNow<Outcome>(_ react: (Value) -> Outcome) -> Outcome? {
    guard hasResult else { return nil }
    // Not inside a closure, in which `react` would escape.
    let trampoline = Trampoline.unmanaged
    guard trampoline._withUnsafeGuaranteedRef({ $0.hasRoom }) else { return nil }
    trampoline._withUnsafeGuaranteedRef { $0.beginLevel() }
    let outcome = react(completedValue)
    trampoline._withUnsafeGuaranteedRef { $0.endLevel() }
    return outcome
  }
}

extension Async: CustomStringConvertible, CustomDebugStringConvertible {
  /// Unlike ``result``, this never runs a transform.
  public var description: String {
    let end = unsafeDowncast(endOfChain, to: Async<Value>.self)
    return "Async<\(Value.self)>(\(String(describing: end.hasResult ? end.storage : nil)))"
  }

  public var debugDescription: String { description }
}
