public import Dispatch

extension Sequence where Element: AsyncType {
  @_disfavoredOverload
  public func firstCompleted() -> Element {
    Element { complete in
      for async in self { async.onComplete(immediateExecutionContext) { complete($0) } }
    }
  }
}

extension Sequence where Element: AsyncType, Element.Value: ResultProtocol, Element.Value.Value: Sendable {
  @_disfavoredOverload
  public func sequence() -> Future<[Element.Value.Value], Element.Value.Error> { map(\.future).sequence() }

  /// Combines the successes in order, on a global queue.
  @_disfavoredOverload
  @preconcurrency
  public func fold<R>(
    _ zero: R, f: @escaping @Sendable (R, Element.Value.Value) -> R
  ) -> Future<R, Element.Value.Error> {
    fold(DispatchQueue.global().context, zero: zero, f: f)
  }

  @_disfavoredOverload
  @preconcurrency
  public func fold<R>(
    _ context: @escaping ExecutionContext, zero: R, f: @escaping @Sendable (R, Element.Value.Value) -> R
  ) -> Future<R, Element.Value.Error> {
    map(\.future).fold(context, zero: zero, f: f)
  }

  /// Returns a future of the first success in order that satisfies a condition, which is checked on a global queue.
  @_disfavoredOverload
  @preconcurrency
  public func find(
    _ p: @escaping @Sendable (Element.Value.Value) -> Bool
  ) -> Future<Element.Value.Value, FuturesError<Element.Value.Error>> {
    find(DispatchQueue.global().context, p: p)
  }

  @_disfavoredOverload
  @preconcurrency
  public func find(
    _ context: @escaping ExecutionContext, p: @escaping @Sendable (Element.Value.Value) -> Bool
  ) -> Future<Element.Value.Value, FuturesError<Element.Value.Error>> {
    map(\.future).find(context, p: p)
  }
}

extension Sequence {
  @_disfavoredOverload
  public func traverse<U: Sendable, E, A: AsyncType>(
    _ context: @escaping ExecutionContext = DispatchQueue.global().context, f: (Element) -> A
  ) -> Future<[U], E> where A.Value: ResultProtocol<U, E> {
    map { f($0).future }.sequence()
  }
}
