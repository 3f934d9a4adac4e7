internal import Isolation

extension Future {
  /// Returns a future of the transformed value, of this future's error, or of the error that the transform throws.
  ///
  /// - Parameter transform: A function that may throw this future's type of error. A closure that throws another type
  ///   than `any Error` must name it, as below.
  ///
  /// ```swift
  /// Future<Int, Never>(value: 20).map { $0 + 1 }.onSuccess { print($0) }  // 21
  ///
  /// func decode(_ data: Data) throws(BirdsError) -> [Bird] { … }
  /// data.map(decode)  // data is a Future<Data, BirdsError>
  /// data.map { data throws(BirdsError) in try decode(data).first }
  /// ```
  @preconcurrency
  public func map<U>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (T) throws(E) -> U
  ) -> Future<U, E> {
    map(defaultContext(on: transform.isolation), f: erasingIsolation(throwing: transform))
  }

  /// Returns a future of the transformed value, of this future's error, or of the error that the transform throws.
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
