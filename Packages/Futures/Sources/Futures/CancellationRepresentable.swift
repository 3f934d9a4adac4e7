/// A type of error that has a value for *cancelled*.
///
/// A future with such an error completes with that value when it is cancelled. `CancellationError` is one, and
/// ``FuturesError`` around one; so is `any Error`, whose value is `CancellationError()`.
///
/// ```swift
/// enum BirdsError: Error, CancellationRepresentable {
///   case noBirds, cancelled
///   static var cancellation: BirdsError { .cancelled }
/// }
/// ```
public protocol CancellationRepresentable: Error {
  /// What a cancelled operation fails with.
  static var cancellation: Self { get }
}

extension CancellationError: CancellationRepresentable {
  /// A cancellation error.
  public static var cancellation: CancellationError { CancellationError() }
}

/// A type of error around another one that may have a value for a cancellation.
protocol CancellationWrapper: Error {
  static var wrappedCancellation: Self? { get }
}

extension FuturesError: CancellationWrapper {
  static var wrappedCancellation: FuturesError? { cancellation(as: E.self).map { .external($0) } }
}

/// What a cancelled operation with this type of error fails with, or `nil` when the type has no value for that.
func cancellation<E: Error>(as type: E.Type) -> E? {
  switch type {
  case let type as any CancellationRepresentable.Type: type.cancellation as? E
  case let type as any CancellationWrapper.Type: type.wrappedCancellation as? E
  // `any Error`, which conforms to nothing but `Error`.
  default: CancellationError() as? E
  }
}
