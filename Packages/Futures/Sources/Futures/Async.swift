internal import Isolation

/// A value that will be there later: one computation, many listeners.
///
/// An async is hot. The work runs once, whoever listens; a callback that is registered late still gets the value.
///
/// ```swift
/// let answer = Async<Int> { complete in complete(42) }
/// answer.onComplete { print($0) }
/// ```
///
/// **Callbacks** are each called once, in the order in which they were registered, never two at the same time, also when
/// their contexts differ. One that is registered from inside another is called after it. No lock is held meanwhile, so
/// a callback may do anything: complete, register, or drop the last reference. A task in `get()` and a thread
/// in `forced()` do not wait for callbacks that were registered before.
///
/// **Threads.** Completion is one instant for all threads; the first one counts. A callback runs in its context. One
/// without a context runs on the actor that it was formed on, and otherwise in ``defaultContext()``.
///
/// **Lifetime.** Whoever can complete an async keeps it alive, and it keeps its callbacks alive until they were called.
///
/// `@unchecked Sendable`: the state is one atomic word, and `storage` is written by the one caller that claimed it,
/// before it is published; see `StateWord`.
///
/// Source: *Beyond the block based API: Building a simple future*.
public class Async<Value: Sendable>: _AsyncStorage<Value?>, AsyncType, @unchecked Sendable {
  /// Creates an async that is completed from inside a scope.
  ///
  /// - Parameter scope: Called once, at once, on the calling thread. Whatever it hands its argument to completes the
  ///   async, from any thread; the first call counts, later ones are ignored. When the argument is dropped uncalled, the
  ///   async stays as it is and its callbacks are never called.
  @preconcurrency
  public required init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
    super.init(nil, .promised, reaction: unexpectedReaction)
    let completer = Completer(self)
    scope { completer.complete($0) }
  }

  /// Creates an async that is completed already.
  @inlinable
  public init(result: Value) {
    super.init(result, .completed, reaction: unexpectedReaction)
  }

  /// Creates an async that has no value yet, and listens to another.
  @inlinable
  init(reaction: @escaping Reaction) {
    super.init(nil, .pending, reaction: reaction)
  }

  /// Creates an async that has no value yet, and that somebody will complete or abandon.
  @inlinable
  init(promised: Void) {
    super.init(nil, .promised, reaction: unexpectedReaction)
  }

  /// The value, or `nil` when it is not there yet.
  @inlinable public final var result: Value? { hasResult ? storage : nil }

  /// Whether the value is there.
  @inlinable public final var isCompleted: Bool { hasResult }

  /// Calls back once the value is there, on the actor that the callback was formed on, or in ``defaultContext()``.
  ///
  /// - Returns: The same async, so that calls can be chained.
  @preconcurrency
  @discardableResult
  public final func onComplete(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (Value) -> Void
  ) -> Self {
    onComplete(defaultContext(on: callback.isolation), callback: erasingIsolation(callback))
  }

  /// Calls back once the value is there, in a context.
  ///
  /// - Returns: The same async, so that calls can be chained.
  @inlinable
  @preconcurrency
  @discardableResult
  public final func onComplete(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void
  ) -> Self {
    let context = unlessImmediate(context)
    if context == nil, reactNow({ callback($0) }) != nil { return self }
    if context == nil {
      let isRegistered = listenToItself { listener, source, _, _ in
        listener.reaction = unexpectedReaction
        callback(unsafeDowncast(source, to: Async<Value>.self).completedValue)
        return nil
      }
      if isRegistered { return self }
    }
    let reaction: Reaction = { listener, source, _, hasTurn in
      let listener = unsafeDowncast(listener, to: CallbackListener<Value>.self)
      if !hasTurn, let context = listener.takeContext() { return context }
      listener.function(unsafeDowncast(source, to: Async<Value>.self).completedValue)
      return nil
    }
    register(CallbackListener(callback, in: context, reaction: reaction))
    return self
  }

  /// Asks for the end of the work that this waits for, since nobody wants its value.
  ///
  /// A future whose type of error can represent a cancellation, see ``CancellationRepresentable``, completes with it at
  /// once. One whose type cannot stays pending until the work says how it ended. On one that is completed, this does
  /// nothing.
  ///
  /// What this waits for is cancelled too, and so on upstream, except where somebody else still waits: another callback,
  /// another future that is made from it, a task in `get()`. The work at the beginning hears of it as ``Promise/onCancel(_:)``
  /// says. No transform on the way is called any more.
  ///
  /// Handlers and callbacks in the immediate context run before this returns; called inside one of them, it returns
  /// before what is upstream has heard of it.
  ///
  /// ```swift
  /// let picture = session.dataFuture(with: url).map { data, _ in data }
  /// picture.cancel()  // ends the request
  /// ```
  public final func cancel() {
    cancelAll()
  }

  /// Stores the value unless there is one already, tells the listeners, and says whether it was the first.
  @inlinable
  @discardableResult
  final func tryComplete(_ value: Value) -> Bool {
    guard claim() else { return false }
    storage = value
    publishAndDeliver()
    return true
  }

  /// Completes from inside a reaction, which tells the listeners when it has ended.
  @inlinable
  final func complete(_ value: Value, _ ready: inout ReadyQueue) {
    guard claim() else { return }
    storage = value
    publish(to: &ready)
  }

  final override func complete(from source: _AsyncState) {
    tryComplete(unsafeDowncast(source, to: Async<Value>.self).completedValue)
  }

  final override func complete(from source: _AsyncState, _ ready: inout ReadyQueue) {
    complete(unsafeDowncast(source, to: Async<Value>.self).completedValue, &ready)
  }

  /// The value of an async that is known to be completed.
  @inlinable final var completedValue: Value { storage.unsafelyUnwrapped }
}

/// What an async that listens to nothing reacts with.
///
/// A function rather than a constant, which would have to be initialised once.
@usableFromInline
func unexpectedReaction(
  _ listener: _Listener, _ source: _AsyncState, _ ready: inout ReadyQueue, _ hasTurn: Bool
) -> ExecutionContext? { nil }

extension Async: CustomStringConvertible, CustomDebugStringConvertible {
  /// The type, and the value as an optional.
  public var description: String { "Async<\(Value.self)>(\(String(describing: result)))" }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
