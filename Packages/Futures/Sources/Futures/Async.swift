internal import Isolation

/// A value that becomes available later, for any number of listeners.
///
/// Most programs use ``Future``. `onSuccess` and `onFailure` extend this protocol, so your own conforming type
/// has them too. For other operations, convert it with `Future(other:)`.
public protocol AsyncType<Value>: Sendable {
  /// The outcome of the asynchronous operation: a `Result` if it can fail.
  associatedtype Value: Sendable

  /// Creates a value that a scope completes.
  ///
  /// - Parameter scope: A function that is called once, before this returns. The first call of its argument, from any thread, completes the
  ///   operation.
  init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void)

  var result: Value? { get }

  /// Calls back when the value is available, in a context.
  @preconcurrency
  @discardableResult
  func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self
}

/// A future that cannot fail, with the value as its outcome instead of a `Result`.
///
/// ```swift
/// let answer = Async<Int> { complete in complete(42) }
/// answer.onComplete { print($0) }
/// ```
public struct Async<Value: Sendable>: AsyncType {
  private let future: Future<Value, Never>
}

extension Async {
  /// Creates an async that a function, the *scope*, completes, as for a ``Future``.
  @preconcurrency
  public init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
    future = Future { complete in scope { complete(.success($0)) } }
  }

  @_disfavoredOverload  // for a trailing closure, which is a scope
  public init(result: Value) {
    future = Future(value: result)
  }

  /// The value, or `nil` while the async is pending.
  public var result: Value? { future.value }

  /// Calls back when the value is available, in a context.
  @preconcurrency
  @discardableResult
  public func onComplete(
    _ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void
  ) -> Self {
    future.onSuccess(context, callback: callback)
    return self
  }

  /// Cancels the work that the async waits for; the async stays pending until that has ended.
  public func cancel() {
    future.cancel()
  }
}

extension Async where Value: AsyncType {
  public func flatten() -> Async<Value.Value> {
    let core = FutureCore<Value.Value, Never>(completers: 0)
    link(future.core, to: core) { outer, core in core.follow(any: outer.completedResult.get()) { .success($0) } }
    return Async<Value.Value>(future: Future(core: core))
  }
}

extension Async: CustomStringConvertible {
  public var description: String { "Async<\(Value.self)>(\(String(describing: result)))" }
}

extension Async: CoreOwner {
  var anyCore: AnyFutureCore { future.core }
}
