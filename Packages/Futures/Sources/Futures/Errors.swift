/// An error of an operation such as `filter` or `find`, or the wrapped error of the future that it was applied to.
public enum FuturesError<E: Error>: Error {
  /// No value satisfies the condition of `filter` or `find`, or a `firstSuccess` has no futures.
  case noSuchElement

  /// An `InvalidationToken` of BrightFuturesCompatibility was invalidated.
  case invalidationTokenInvalidated

  case external(E)
}

extension FuturesError: Equatable where E: Equatable {}
extension FuturesError: Hashable where E: Hashable {}

extension FuturesError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noSuchElement:
      "No element satisfies the condition, or the sequence is empty. Handle this error with `recover`, or relax the condition."
    case .invalidationTokenInvalidated:
      "Cannot continue: the invalidation token was invalidated. Ignore this error, or use a new token."
    case .external(let error):
      "\(error)"
    }
  }
}

/// An error type with a value for *cancelled*.
///
/// A cancelled future with such an error type fails with that value, which is `CancellationError()` for `any Error`. ``FuturesError`` has a
/// value if its wrapped error has one.
///
/// ```swift
/// enum BirdsError: Error, CancellationRepresentable {
///   case noBirds, cancelled
///   static var cancellation: BirdsError { .cancelled }
/// }
/// ```
public protocol CancellationRepresentable: Error {
  static var cancellation: Self { get }
}

extension CancellationError: CancellationRepresentable {
  public static var cancellation: CancellationError { CancellationError() }
}

protocol CancellationWrapper: Error {
  static var wrappedCancellation: Self? { get }
}

extension FuturesError: CancellationWrapper {
  static var wrappedCancellation: FuturesError? { cancellation(as: E.self).map { .external($0) } }
}

func cancellation<E: Error>(as type: E.Type) -> E? {
  switch type {
  case let type as any CancellationRepresentable.Type: type.cancellation as? E
  case let type as any CancellationWrapper.Type: type.wrappedCancellation as? E
  // The type `any Error`, which conforms only to `Error`.
  default: CancellationError() as? E
  }
}
