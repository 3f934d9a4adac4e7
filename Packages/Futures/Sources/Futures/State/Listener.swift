/// An entry in an async's list: a callback, a waiting task, or an async that is derived from it.
///
/// Public only because ``Async`` inherits from it; it has no public members.
///
/// `@unchecked Sendable`: the lock of the async whose list the listener is in guards `next`. `reaction` is written before the listener is
/// registered, or by the reaction itself.
public class _Listener: @unchecked Sendable {
  /// Handles the completion of the async that the listener was registered on.
  ///
  /// It is called on any thread. When `isInContext` is false and the listener needs its context, the reaction does
  /// nothing and returns `false`; it is then called again in the context. It is a stored closure and not a method, because a
  /// closure is specialised where the combinator is called, and methods of generic classes are not.
  @usableFromInline
  typealias Reaction =
    @Sendable (_ listener: _Listener, _ source: _AsyncCore, _ isInContext: Bool) -> Bool

  @usableFromInline @exclusivity(unchecked) final var reaction: Reaction

  /// The next listener in the circular list, or `nil` when the listener is in no list.
  @exclusivity(unchecked) final var next: Unmanaged<_Listener>?

  @inlinable
  init(reaction: @escaping Reaction) {
    self.reaction = reaction
  }

  /// Whether the listener no longer needs the result, so that the list can drop it.
  ///
  /// Called while the lock of another async is held: it may only read atomics.
  var hasEnded: Bool { false }

  /// Whether this is an async that nobody waits for any more, although it is pending.
  var isIdle: Bool { false }

  /// Whether nothing else owns the async on whose behalf this listens; only called under the lock of the list.
  var isOnlyOwner: Bool { true }

  /// Whether this is a pending async that will have the result of the async that it listens to.
  var isFollowing: Bool { false }

  /// Whether the listener only resumes a waiting task or thread.
  ///
  /// It is then called before callbacks.
  var isWaiter: Bool { false }

  /// Whether the listener ignores the result for now, because nobody wants its own.
  ///
  /// It will register again.
  ///
  /// - Parameter context: The context that the listener reacts in, if it is not the immediate one.
  func defersReaction(to source: _AsyncCore, in context: ExecutionContext?) -> Bool { false }

  /// Leaves the list that it was taken from, until somebody wants its result; returns `false` if it must stay.
  func detach(from source: _AsyncCore, in context: ExecutionContext?) -> Bool { hasEnded }

  /// Called when no result will come.
  func abandon() {}
}

/// A reaction that does nothing.
///
/// A function and not a constant, because a constant is initialised at its first use, which is checked at every use.
@usableFromInline
func noReaction(_ listener: _Listener, _ source: _AsyncCore, _ isInContext: Bool) -> Bool { true }
