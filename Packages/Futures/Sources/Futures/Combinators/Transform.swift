/// What to do with a result: pass it on as it is, or hand it to a function.
///
/// Passing on needs no context: only the function runs in one.
struct Transform<T: Sendable, E: Error, Outcome>: Sendable {
  /// The outcome of a result that the function does not see, or `nil`.
  let passing: @Sendable (Result<T, E>) -> Outcome?
  /// The outcome of any other result.
  let function: @Sendable (Result<T, E>) -> Outcome

  init(
    passing: @escaping @Sendable (Result<T, E>) -> Outcome? = { _ in nil },
    function: @escaping @Sendable (Result<T, E>) -> Outcome
  ) {
    self.passing = passing
    self.function = function
  }
}

extension Future {
  /// A future of what a transform makes of this one's result.
  func transformed<U, NewError>(
    in context: @escaping ExecutionContext, _ transform: Transform<T, E, Result<U, NewError>>
  ) -> Future<U, NewError> {
    flatTransformed(
      in: context,
      Transform(
        passing: { transform.passing($0).map { Future<U, NewError>(result: $0) } },
        function: { Future<U, NewError>(result: transform.function($0)) }))
  }

  /// A future that goes on with the one that a transform makes of this one's result.
  func flatTransformed<U, NewError>(
    in context: @escaping ExecutionContext, _ transform: Transform<T, E, Future<U, NewError>>
  ) -> Future<U, NewError> {
    let context = unlessImmediate(context)
    if context == nil, let next = reactNow({ transform.passing($0) ?? transform.function($0) }) {
      return next.follower()
    }
    typealias Waiting = Stage<Transform<T, E, Future<U, NewError>>, U, NewError>
    let stage = Waiting(transform, in: context) { listener, source, ready, hasTurn in
      let stage = unsafeDowncast(listener, to: Waiting.self)
      if stage.hasEnded() { return nil }
      let result = unsafeDowncast(source, to: Future<T, E>.self).completedValue
      if !hasTurn {
        if let passed = stage.function?.passing(result) {
          _ = stage.takeFunction()
          stage.follow(passed, &ready)
          return nil
        }
        if let context = stage.takeContext() { return context }
      }
      stage.follow(stage.takeFunction().function(result), &ready)
      return nil
    }
    register(waiting: stage)
    return stage
  }
}
