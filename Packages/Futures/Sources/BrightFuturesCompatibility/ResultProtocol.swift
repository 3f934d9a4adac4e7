/// A protocol for constraints, to which only `Result` conforms.
public protocol ResultProtocol<Value, Error> {
  /// The type of a success.
  associatedtype Value
  /// The type of a failure.
  associatedtype Error: Swift.Error

  /// Creates a success.
  init(value: Value)

  /// Creates a failure.
  init(error: Error)

  /// The value as a `Result`.
  var result: Result<Value, Error> { get }
}

extension Result: ResultProtocol {
  /// The result itself.
  public var result: Result<Success, Failure> { self }
}

extension ResultProtocol {
  /// Returns the value that one of two functions makes of the success or of the failure.
  @_disfavoredOverload
  public func analysis<Outcome>(ifSuccess: (Value) -> Outcome, ifFailure: (Error) -> Outcome) -> Outcome {
    result.analysis(ifSuccess: ifSuccess, ifFailure: ifFailure)
  }

}

extension ResultProtocol where Value: Sendable {
  /// Returns the future that a function makes of the success, or a failed future.
  @_disfavoredOverload
  public func flatMap<U>(_ f: (Value) -> Future<U, Error>) -> Future<U, Error> { result.flatMap(f) }
}

extension ResultProtocol where Value: ResultProtocol, Error == Value.Error {
  /// Returns the inner result, or the outer failure.
  @_disfavoredOverload
  public func flatten() -> Result<Value.Value, Value.Error> { result.flatMap(\.result) }
}

extension ResultProtocol
where
  Value: AsyncType, Value.Value: ResultProtocol, Value.Value.Value: Sendable,
  Error == Value.Value.Error
{
  /// Returns the inner future, or a future that has failed with the outer error.
  @_disfavoredOverload
  public func flatten() -> Future<Value.Value.Value, Error> { result.flatMap(\.future) }
}

extension Sequence where Element: ResultProtocol {
  /// Returns all successes in order, or the first failure.
  @_disfavoredOverload
  public func sequence() -> Result<[Element.Value], Element.Error> { map(\.result).sequence() }
}
