/// What is to be done about an error.
enum Disposition: Hashable {
  /// The server says no, for a reason.
  case decline(String)
  /// Try again, not before a time that the server asked for.
  case retry(notBefore: Duration)
  /// Ask for a fresh token, then try again.
  case refreshToken
  /// The server will never do this, with its status.
  case refuse(Int)
  /// The server knows the key with another body.
  case keyMismatch
  /// The server has forgotten the key.
  case keyExpired
}

extension TakingPolicy {
  /// What is to be done about an error.
  func disposition(of error: HTTPError) -> Disposition {
    if let reason = error.declineReason { return .decline(reason) }
    // The deck knows no `Retry-After`.
    guard errors == .byStatus else { return .retry(notBefore: .zero) }
    let retry = Disposition.retry(notBefore: error.retryAfter ?? .zero)
    guard let status = error.status else { return retry }
    // A word beside a 5xx is what a server says that is not well: it decides nothing.
    switch error.problem {
    case .idempotencyKeyMismatch? where (400..<500).contains(status): return .keyMismatch
    case .idempotencyKeyExpired? where (400..<500).contains(status): return .keyExpired
    default: break
    }
    switch status {
    case 401: return .refreshToken
    case 408, 425, 429: return retry
    case 409 where error.problem == .inProgress: return retry
    case 400..<500: return .refuse(status)
    // What is neither an answer nor a 4xx, a redirect to nowhere for one, leaves the outcome open like a 5xx.
    default: return retry
    }
  }
}
