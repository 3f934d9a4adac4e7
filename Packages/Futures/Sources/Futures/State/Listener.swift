/// An entry in an async's list: a callback, a waiting task, or an async that is derived from it.
///
/// Public only because ``Async`` inherits from it, without public members.
///
/// `@unchecked Sendable`: `next` is guarded by the lock of the async whose list contains the listener. `reaction` is
/// written before the registration, or later by the only caller that has taken the listener from its list, to call or
/// to abandon it.
public class _Listener: @unchecked Sendable {
  /// Handles the completion of the async that the listener was registered on.
  ///
  /// It is called on any thread. If `isInContext` is false and the listener needs its context, the reaction only
  /// returns `false`, and is called again in the context. It is a stored closure instead of a method, because the
  /// compiler specialises closures at the call of a combinator, but not methods of generic classes.
  @usableFromInline
  typealias Reaction =
    @Sendable (_ listener: _Listener, _ upstream: _AsyncCore, _ isInContext: Bool) -> Bool

  @usableFromInline @exclusivity(unchecked) final var reaction: Reaction

  /// The next listener in the circular list, or `nil` when the listener is in no list.
  @exclusivity(unchecked) final var next: Unmanaged<_Listener>?

  @inlinable
  init(reaction: @escaping Reaction) {
    self.reaction = reaction
  }

  /// Whether the listener no longer needs the result, so that the list can drop it.
  ///
  /// Called under the lock of another async, so it may only read atomics.
  var hasEnded: Bool { false }

  /// Whether this is a pending async whose last listener has left, or that was cancelled and has no listener.
  func isUnwanted(lockedBy other: _AsyncCore) -> Bool { false }

  /// Whether only this listener retains its derived async.
  ///
  /// Called under the lock of the list.
  var isOnlyOwner: Bool { true }

  var isFollowing: Bool { false }

  /// Whether another async may have the result that the listener receives.
  var passesResultOn: Bool { false }

  /// Whether another async waits for the result that the listener receives.
  var feedsAnotherAsync: Bool { false }

  /// Whether the listener only resumes a waiting task or thread, and so is called before callbacks.
  var isWaiter: Bool { false }

  /// Ignores a completion if the listener's own result is unwanted, until a listener wants it; returns whether it does.
  func deferReactionIfUnwanted(to completed: _AsyncCore, in context: ExecutionContext?) -> Bool { false }

  /// Keeps this listener out of its list until its own result is wanted.
  ///
  /// Returns `false` if it must be registered again.
  func unregisterWhileUnwanted(from other: _AsyncCore, in context: ExecutionContext?) -> Bool { hasEnded }

  /// Called when the async cannot complete.
  func abandon(_ origin: PromiseOrigin?) {}
}

/// A function, because each use of a global constant checks whether the constant is initialised.
@usableFromInline
func noReaction(_ listener: _Listener, _ upstream: _AsyncCore, _ isInContext: Bool) -> Bool { true }
