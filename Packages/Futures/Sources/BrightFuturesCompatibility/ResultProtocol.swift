/// A protocol for constraints, to which only `Result` conforms.
public protocol ResultProtocol<Value, Error> {
  associatedtype Value
  associatedtype Error: Swift.Error

  init(value: Value)

  init(error: Error)

  var result: Result<Value, Error> { get }
}

extension Result: ResultProtocol {
  public var result: Result<Success, Failure> { self }
}

extension ResultProtocol {
  @_disfavoredOverload
  public func analysis<Outcome>(ifSuccess: (Value) -> Outcome, ifFailure: (Error) -> Outcome) -> Outcome {
    result.analysis(ifSuccess: ifSuccess, ifFailure: ifFailure)
  }

}

extension ResultProtocol where Value: Sendable {
  @_disfavoredOverload
  public func flatMap<U>(_ f: (Value) -> Future<U, Error>) -> Future<U, Error> { result.flatMap(f) }
}

extension ResultProtocol where Value: ResultProtocol, Error == Value.Error {
  @_disfavoredOverload
  public func flatten() -> Result<Value.Value, Value.Error> { result.flatMap(\.result) }
}

extension ResultProtocol
where
  Value: AsyncType, Value.Value: ResultProtocol, Value.Value.Value: Sendable,
  Error == Value.Value.Error
{
  @_disfavoredOverload
  public func flatten() -> Future<Value.Value.Value, Error> { result.flatMap(\.future) }
}

extension Sequence where Element: ResultProtocol {
  @_disfavoredOverload
  public func sequence() -> Result<[Element.Value], Element.Error> { map(\.result).sequence() }
}
