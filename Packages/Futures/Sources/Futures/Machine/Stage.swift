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

  override func giveUp() {
    function = nil
    context = nil
    super.giveUp()
  }

  /// Completes as another future does, now or later.
  @inlinable
  func follow(_ other: Future<T, E>, _ ready: inout ReadyQueue) {
    // Set first: once registered, another thread may run it.
    reaction = { listener, source, ready, _ in
      let stage = unsafeDowncast(listener, to: Stage<Function, T, E>.self)
      stage.complete(unsafeDowncast(source, to: Future<T, E>.self).completedValue, &ready)
      return nil
    }
    if !other.registerUnlessCompleted(self) { complete(other.completedValue, &ready) }
  }
}
