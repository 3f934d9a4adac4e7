/// A value that becomes available later, for any number of listeners.
///
/// Most programs use ``Async`` and ``Future``. `onSuccess`, `onFailure`, `map` and `flatMap` extend this protocol,
/// so your own conforming type has them too. For other operations, convert it with `Future(other:)`.
public protocol AsyncType<Value>: Sendable {
  /// The outcome of the asynchronous operation: a `Result` if it can fail.
  associatedtype Value: Sendable

  /// Creates a value that a scope completes.
  ///
  /// - Parameter scope: A function that is called once, before this returns. Calling its argument, from any thread,
  ///   completes the operation. Later calls are ignored.
  init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void)

  var result: Value? { get }

  /// Calls back when the value is available, in a context.
  @preconcurrency
  @discardableResult
  func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self
}
