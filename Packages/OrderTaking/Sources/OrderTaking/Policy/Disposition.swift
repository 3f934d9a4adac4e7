enum Disposition: Hashable {
  case decline(String)
  /// Retry, not before the time that the server requires.
  case retry(notBefore: Duration)
  case refreshToken
  case refuse(Int)
  /// End the operation, because a retry would fail too.
  case stop
  case keyMismatch
  case keyExpired
}

extension TakingPolicy {
  func disposition(of error: HTTPError) -> Disposition {
    if let reason = error.declineReason { return .decline(reason) }
    // The deck ignores `Retry-After`.
    guard errors == .byStatus else { return .retry(notBefore: .zero) }
    if error.kind == .insecure || error.kind == .invalidRequest { return .stop }
    let retry = Disposition.retry(notBefore: error.retryAfter ?? .zero)
    guard let status = error.status else { return retry }
    // A problem code in a 5xx decides nothing, because the server has failed.
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
    // Any other status, for example of a redirect that was not followed, leaves the outcome open like a 5xx.
    default: return retry
    }
  }
}
