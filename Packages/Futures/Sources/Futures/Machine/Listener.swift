/// What waits in an async's list for its completion: a callback, or a future that is made from it.
///
/// Part of the machine under ``Async``; there is nothing to call. It is public because a public class inherits it.
///
/// `@unchecked Sendable`: `next` belongs to whoever holds the list that the listener is in, one at a time.
public class _Listener: _Upstream, @unchecked Sendable {
  /// Reacts to the completion of the async that it was registered on.
  ///
  /// It is called with `hasTurn` false first. A listener that wants a context then returns it, and is called again from
  /// there with `hasTurn` true. It is a stored closure, formed where the types are known, rather than a method, since
  /// methods of generic classes are not specialised.
  @usableFromInline
  typealias Reaction =
    @Sendable (
      _ listener: _Listener, _ source: _AsyncState, _ ready: inout ReadyQueue, _ hasTurn: Bool
    ) -> ExecutionContext?

  @usableFromInline @exclusivity(unchecked) final var reaction: Reaction

  /// The next listener in the list that this one is in.
  @usableFromInline @exclusivity(unchecked) final var next: Unmanaged<_Listener>?

  @inlinable
  init(reaction: @escaping Reaction) {
    self.reaction = reaction
    super.init()
  }

  /// How much it still wants what it listens for.
  var interest: Interest { .wanted }

  /// Whether it wants nothing but to complete as what it listens to does, so that it may listen elsewhere for the same.
  var isFollower: Bool { false }

  /// Whether it only wakes somebody who waits, for which it need not wait for the callbacks that were registered before.
  var isWaiting: Bool { false }

  /// Hears that what it waits for will never come, just before the list lets go of it.
  func giveUp() {}
}

/// A callback in an async's list.
///
/// `@unchecked Sendable`: see `_Listener`; `context` belongs, like `next`, to whoever holds the list that it is in.
@usableFromInline
final class CallbackListener<Value>: _Listener, @unchecked Sendable {
  @usableFromInline let function: @Sendable (Value) -> Void
  @usableFromInline @exclusivity(unchecked) var context: ExecutionContext?

  @inlinable
  init(_ function: @escaping @Sendable (Value) -> Void, in context: ExecutionContext?, reaction: @escaping Reaction) {
    self.function = function
    self.context = context
    super.init(reaction: reaction)
  }

  /// The context, which it lets go of: one that keeps its work would otherwise keep itself.
  @inlinable
  func takeContext() -> ExecutionContext? {
    let taken = context
    context = nil
    return taken
  }
}
