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
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) throws(E) -> U
  ) -> Future<U, E> {
    map(defaultContext(on: transform.isolation), f: erasingIsolation(throwing: transform))
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
  public func map<U>(_ context: @escaping ExecutionContext, f: @escaping @Sendable (T) throws(E) -> U) -> Future<U, E> {
    derived(ThrowingTransform(f), in: context) { transform, result, isInContext in
      switch result {
      case .success(let value):
        guard isInContext else { return .changeContext }
        do throws(E) {
          return .complete(.success(try transform.call(value)))
        } catch {
          return .complete(.failure(error))
        }
      case .failure(let error): return .complete(.failure(error))
      }
    }
  }
}
