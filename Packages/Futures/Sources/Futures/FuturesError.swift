/// The errors of the operations here that can fail in ways of their own, around the errors of the futures that they
/// work on.
public enum FuturesError<E: Error>: Error {
  /// No value was there that fits: `filter` refused it, or `find` found none.
  case noSuchElement

  /// An `InvalidationToken` of BrightFuturesCompatibility was invalidated.
  case invalidationTokenInvalidated

  /// Something was used in a state in which it cannot be used.
  case illegalState

  /// The future that was worked on failed.
  case external(E)

  /// Wraps the error of the future that was worked on.
  public init(external: E) {
    self = .external(external)
  }
}

extension FuturesError: Equatable where E: Equatable {}
extension FuturesError: Hashable where E: Hashable {}

extension FuturesError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .noSuchElement:
      "No element satisfies the condition. Handle this error with `recover`, or relax the condition."
    case .invalidationTokenInvalidated:
      "The invalidation token was invalidated."
    case .illegalState:
      "The operation is not allowed in the current state."
    case .external(let error):
      "\(error)"
    }
  }
}
