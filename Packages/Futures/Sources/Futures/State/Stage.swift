/// A derived future.
///
/// The same object is the listener that waits for its sources.
///
/// `Held` is an optional: the transform, or the state of a longer wait. The generic parameter is the optional type for
/// the reason given at `_AsyncStorage`.
///
/// `@unchecked Sendable`: the lock guards `storedUpstream`. `held` is written before the registration, and then only by
/// the reaction, which never runs concurrently.
@usableFromInline
final class Stage<Held: ExpressibleByNilLiteral, T: Sendable, E: Error>: Future<T, E>, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var storedUpstream: Upstream?
  @usableFromInline @exclusivity(unchecked) var held: Held

  @inlinable
  init(_ held: Held, waitingFor upstream: Upstream?, reaction: @escaping Reaction) {
    self.held = held
    storedUpstream = upstream
    super.init(derived: reaction)
  }

  @usableFromInline
  required init(_ scope: (@escaping @Sendable (Result<T, E>) -> Void) -> Void) {
    held = nil
    super.init(scope)
  }

  deinit {
    if storedUpstream != nil || isCancelled { releaseReferences() }
  }

  /// Releases a long chain of futures in constant stack space: the trampoline releases the last reference to each.
  ///
  /// A function that has not run may retain futures too.
  private func releaseReferences() {
    var references: [Unmanaged<AnyObject>] = [.passRetained(Owner(held))]
    storedUpstream?.retain(into: &references)
    storedUpstream = nil
    held = nil
    for reference in references { Trampoline.current.release(reference) }
  }

  override var upstream: Upstream? {
    get { storedUpstream }
    set { storedUpstream = newValue }
  }

  override func abandon(_ origin: PromiseOrigin?) {
    held = nil
    super.abandon(origin)
  }
}

private final class Owner<Content> {
  private let content: Content

  init(_ content: Content) {
    self.content = content
  }
}

/// A function that a stage keeps until it runs.
///
/// A struct, because a function as a generic argument needs a wrapper, which costs an allocation.
@usableFromInline
struct Transform<Input, Output>: Sendable {
  @usableFromInline let call: @Sendable (Input) -> Output

  @inlinable
  init(_ call: @escaping @Sendable (Input) -> Output) {
    self.call = call
  }
}

@usableFromInline
struct ThrowingTransform<Input, Output, E: Error>: Sendable {
  @usableFromInline let call: @Sendable (Input) throws(E) -> Output

  @inlinable
  init(_ call: @escaping @Sendable (Input) throws(E) -> Output) {
    self.call = call
  }
}

@usableFromInline
enum Step<T: Sendable, E: Error> {
  case complete(Result<T, E>)
  case follow(Future<T, E>)
  /// Runs in the context first.
  case changeContext
}

extension Future {
  /// Creates a future.
  ///
  /// A step makes its result from the result of this future.
  ///
  /// - Parameters:
  ///   - function: The user's function, which is released after the step has run.
  ///   - context: The context of the step. The step is first called outside of the context, with `isInContext` false.
  ///     There it may pass on a result without the function.
  ///   - step: The reaction. It captures nothing, so that the compiler can specialise it.
  @inlinable
  final func derived<Function, U, NewError>(
    _ function: Function, in context: @escaping ExecutionContext,
    step: @escaping @Sendable (Function, Result<T, E>, _ isInContext: Bool) -> Step<U, NewError>
  ) -> Future<U, NewError> {
    let isImmediate = isImmediate(context)
    if isImmediate, let next = reactNow({ step(function, $0, true) }) {
      switch next {
      case .complete(let result): return Future<U, NewError>(result: result)
      case .follow(let future): return future.follower()
      case .changeContext: break
      }
    }
    let stage = Stage<Function?, U, NewError>(function, waitingFor: .one(self)) { listener, upstream, isInContext in
      let stage = unsafeDowncast(listener, to: Stage<Function?, U, NewError>.self)
      if stage.isSettled { stage.held = nil }
      guard let function = stage.held else { return true }
      switch step(function, unsafeDowncast(upstream, to: Future<T, E>.self).completedValue, isInContext) {
      case .complete(let result):
        stage.held = nil
        stage.tryComplete(result)
      case .follow(let future):
        stage.held = nil
        stage.follow(future)
      case .changeContext: return false
      }
      return true
    }
    register(stage, in: isImmediate ? nil : context)
    return stage
  }

  @inlinable
  final func follow(_ other: Future<T, E>) {
    if other.hasResult {
      tryComplete(other.completedValue)
      return
    }
    // Set first: once registered, another thread may run it.
    reaction = followReaction
    follow(other as _AsyncCore)
  }

  /// Returns a future with the same result.
  ///
  /// Its cancellation only removes a listener of this future.
  @inlinable
  final func follower() -> Future<T, E> {
    if hasResult { return self }
    let follower = Stage<Void?, T, E>(nil, waitingFor: nil, reaction: followReaction)
    follower.follow(self)
    return follower
  }
}

extension _AsyncCore {
  /// `nil` is the immediate context.
  @usableFromInline
  final func register(_ listener: _Listener, in context: ExecutionContext?) {
    register(context.map { ContextHop(listener, in: $0) } ?? listener)
  }
}

@usableFromInline
func followReaction(_ listener: _Listener, _ upstream: _AsyncCore, _ isInContext: Bool) -> Bool {
  unsafeDowncast(listener, to: _AsyncCore.self).complete(from: upstream)
  return true
}
