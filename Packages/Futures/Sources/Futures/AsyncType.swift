/// A value that will be there later, which many may wait for.
///
/// ``Async`` and ``Future`` are the ones to use. What this package adds to an asynchronous `Result` (``onSuccess(_:callback:)``,
/// ``map(_:f:)`` and so on) is written against this protocol, so a type of your own gets it too.
///
/// Source: *Beyond the block based API: Building a simple future*.
public protocol AsyncType<Value>: Sendable {
  /// What the asynchronous operation ends with; a `Result` when it can fail.
  associatedtype Value: Sendable

  /// Creates a value that is completed from inside a scope.
  ///
  /// - Parameter scope: Called once, at once, on the calling thread. It hands its argument to whatever completes the
  ///   operation; the first call completes it, later ones are ignored.
  init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void)

  /// The value, or `nil` when it is not there yet.
  var result: Value? { get }

  /// Calls back once the value is there, in a context.
  ///
  /// - Returns: The same async, so that calls can be chained.
  @preconcurrency
  @discardableResult
  func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self
}
