/// A future that is made from another one, and at the same time the listener that waits for it: one object for both.
///
/// `Function` is what it still has to do with the other's result: a transform, or the state of a longer wait.
///
/// `@unchecked Sendable`: `function` and `context` are written before the stage is registered and then belong to its
/// reaction, which runs once at a time.
@usableFromInline
final class Stage<Function, T: Sendable, E: Error>: Future<T, E>, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var function: Function?
  @usableFromInline @exclusivity(unchecked) var context: ExecutionContext?

  @inlinable
  init(_ function: Function, in context: ExecutionContext?, reaction: @escaping Reaction) {
    self.function = function
    self.context = context
    super.init(reaction: reaction)
  }

  /// A future like any other; a stage without a function has nothing to wait for.
  @usableFromInline
  required init(_ scope: (@escaping @Sendable (Result<T, E>) -> Void) -> Void) {
    super.init(scope)
  }

  /// The function, which the stage then lets go of, and with it all that the function holds.
  @inlinable
  func takeFunction() -> Function {
    let taken = function.unsafelyUnwrapped
    function = nil
    context = nil
    return taken
  }

  /// The context, which it lets go of: one that keeps its work would otherwise keep itself.
  @inlinable
  func takeContext() -> ExecutionContext? {
    let taken = context
    context = nil
    return taken
  }

  /// Whether it was cancelled and has its result, so that there is nothing left to do; it lets go of the function then.
  @inlinable
  func hasEnded() -> Bool {
    guard isSettled else { return false }
    function = nil
    context = nil
    return true
  }

  override var isFollower: Bool { function == nil }

  override func giveUp() {
    function = nil
    context = nil
    super.giveUp()
  }
}

extension Future {
  /// Completes as another future does, now or later.
  @inlinable
  final func follow(_ other: Future<T, E>, _ ready: inout ReadyQueue) {
    if other.hasResult { return complete(other.completedValue, &ready) }
    // Set first: once registered, another thread may run it.
    reaction = { listener, source, ready, _ in
      let future = unsafeDowncast(listener, to: Future<T, E>.self)
      future.complete(unsafeDowncast(source, to: Future<T, E>.self).completedValue, &ready)
      return nil
    }
    waitToComplete(as: other, &ready)
  }

  /// A future with the same result, to be handed out in place of this one: cancelling that reaches this one only if nobody
  /// else waits for it.
  @inlinable
  final func follower() -> Future<T, E> {
    if hasResult { return self }
    let follower = Future(reaction: unexpectedReaction)
    // Stays empty: nobody listens to the follower yet.
    var ready = ReadyQueue()
    follower.follow(self, &ready)
    return follower
  }
}

extension _AsyncState {
  /// Waits for another async, whose result will be this one's.
  @usableFromInline
  final func waitToComplete(as other: _AsyncState, _ ready: inout ReadyQueue) {
    if link(to: other, &ready) { return }
    let isWaiting = wait(for: other)
    if !other.registerUnlessCompleted(self) { complete(from: other, &ready) }
    if !isWaiting { Nesting.current.leave(other, isCancelled: true) }
  }
}
