/// An error of an operation such as `filter` or `find`, or the wrapped error of the future that it was applied to.
public enum FuturesError<E: Error>: Error {
  /// No value satisfies the condition of `filter` or `find`, or a `firstSuccess` has no futures.
  case noSuchElement

  /// An `InvalidationToken` of BrightFuturesCompatibility was invalidated.
  case invalidationTokenInvalidated

  /// BrightFutures has this case; no operation of this package fails with it.
  case illegalState

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
    case .illegalState:
      "Cannot perform the operation: the current state does not allow it. Check the state before the call."
    case .external(let error):
      "\(error)"
    }
  }
}
