/// An error type with a value for *cancelled*.
///
/// A cancelled future with such an error type fails with that value. `CancellationError` conforms. `any Error` has the
/// value `CancellationError()`. ``FuturesError`` has a value if its wrapped error has one.
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
