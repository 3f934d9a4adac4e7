internal import Isolation

extension Future {
  /// A future of the transformed value; a failure is passed on.
  ///
  /// - Parameter transform: Called once if this future succeeds, on the actor that it was formed on, or in
  ///   ``defaultContext()``.
  ///
  /// ```swift
  /// Future<Int, Never>(value: 20).map { $0 + 1 }.onSuccess { print($0) }  // 21
  /// ```
  ///
  /// Source: *Beyond the block based API: Building a simple future*.
  @preconcurrency
  public func map<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) -> U
  ) -> Future<U, E> {
    map(defaultContext(on: transform.isolation), f: erasingIsolation(transform))
  }

  /// A future of the transformed value; a failure is passed on.
  ///
  /// - Parameters:
  ///   - context: Where the transform runs. In the immediate one, on a future that is completed already, it runs before
  ///     this call returns, and the new future costs one allocation. (Nested in very many callbacks, it runs before
  ///     the outermost of them ends.)
  ///   - f: Called once if this future succeeds.
  @inlinable
  @preconcurrency
  public func map<U>(_ context: @escaping ExecutionContext, f: @escaping @Sendable (T) -> U) -> Future<U, E> {
    let context = unlessImmediate(context)
    if context == nil, let result = reactNow({ $0.map(f) }) { return Future<U, E>(result: result) }
    let stage = Stage<@Sendable (T) -> U, U, E>(f, in: context) { listener, source, ready, hasTurn in
      let stage = unsafeDowncast(listener, to: Stage<@Sendable (T) -> U, U, E>.self)
      if stage.hasEnded() { return nil }
      switch unsafeDowncast(source, to: Future<T, E>.self).completedValue {
      case .success(let value):
        if !hasTurn, let context = stage.takeContext() { return context }
        let transform = stage.takeFunction()
        stage.complete(.success(transform(value)), &ready)
      case .failure(let error):
        _ = stage.takeFunction()
        stage.complete(.failure(error), &ready)
      }
      return nil
    }
    register(waiting: stage)
    return stage
  }
}

extension Async {
  /// What a reaction makes of the value, if it is there and this thread may react now.
  @inlinable
  final func reactNow<Outcome>(_ react: (Value) -> Outcome) -> Outcome? {
    guard hasResult else { return nil }
    // Not inside a closure, in which `react` would escape.
    let nesting = Nesting.unmanaged
    guard nesting._withUnsafeGuaranteedRef({ $0.hasRoom }), beginDelivery() else { return nil }
    nesting._withUnsafeGuaranteedRef { $0.enter() }
    let outcome = react(completedValue)
    nesting._withUnsafeGuaranteedRef { $0.leave() }
    endDelivery()
    return outcome
  }
}
