// Operations of any async. They are disfavoured, so that the more precise ones of Futures are chosen where both fit.

extension AsyncType {
  /// Creates an async that nothing completes.
  @_disfavoredOverload
  public init() {
    self.init { _ in }
  }

  @_disfavoredOverload
  public init(result: Value) {
    self.init { complete in complete(result) }
  }

  /// Creates an async that completes with another one.
  ///
  /// Cancelling the new async does not cancel the other one.
  @_disfavoredOverload
  public init<Other: AsyncType>(other: Other) where Other.Value == Value {
    self.init { complete in other.onComplete(immediateExecutionContext) { complete($0) } }
  }

  /// Creates an async that a scope completes: `init(_:)` under its name in BrightFutures.
  @_disfavoredOverload
  @preconcurrency
  public init(resolver: (_ result: @escaping @Sendable (Value) -> Void) -> Void) {
    self.init(resolver)
  }

  public var isCompleted: Bool { result != nil }

  /// Returns an async with the same value, completed after a callback was called with that value.
  @_disfavoredOverload
  @preconcurrency
  @discardableResult
  public func andThen(
    context: @escaping ExecutionContext = defaultContext(), callback: @escaping @Sendable (Value) -> Void
  ) -> Self {
    Self { complete in
      onComplete(context) { value in
        callback(value)
        complete(value)
      }
    }
  }
}

extension AsyncType where Value: AsyncType {
  @_disfavoredOverload
  public func flatten() -> Value {
    Value { complete in
      onComplete(immediateExecutionContext) { inner in
        inner.onComplete(immediateExecutionContext) { complete($0) }
      }
    }
  }
}

extension Async {
  /// Calls back in `defaultContext()` when the value is available.
  @_disfavoredOverload
  @preconcurrency
  @discardableResult
  public func onComplete(callback: @escaping @Sendable (Value) -> Void) -> Self {
    onComplete(defaultContext(), callback: callback)
  }
}

extension Async where Value: ResultProtocol, Value.Value: Sendable {
  @_disfavoredOverload
  public func get() async throws(Value.Error) -> Value.Value { try await future.get() }
}
