public import Futures

public struct HTTPError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The server responded with an error status.
    case status(Int)
    case timedOut
    /// There was no response, or it could not be read.
    ///
    /// `mayHaveReachedServer` is `false` if, for example, the connection was refused.
    case transport(mayHaveReachedServer: Bool)
    /// The TLS connection failed, for example because the server's certificate is not trusted. It is not retried.
    case insecure
    /// The request is invalid, for example its URL, so nothing was sent. It is not retried.
    case invalidRequest

    var label: String {
      switch self {
      case .status(let status): "\(status)"
      case .timedOut: "timed_out"
      case .transport(mayHaveReachedServer: true): "connection_lost"
      case .transport(mayHaveReachedServer: false): "not_connected"
      case .insecure: "insecure"
      case .invalidRequest: "invalid_request"
      }
    }
  }

  /// The code of a problem in a response; servers can add codes.
  public struct Problem: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key was used before with another body.
    public static let idempotencyKeyMismatch = Problem(rawValue: "idempotency_key_mismatch")
    public static let idempotencyKeyExpired = Problem(rawValue: "idempotency_key_expired")
    /// The server is processing another request with this key.
    public static let inProgress = Problem(rawValue: "in_progress")
    /// The server has recorded no PUT of this caller for this order.
    public static let noSuchTaking = Problem(rawValue: "no_such_taking")
  }

  public var kind: Kind
  /// The server's reason for a decline, which makes the error a result.
  public var declineReason: String?
  /// The minimum time before the next request, from `Retry-After`.
  public var retryAfter: Duration?
  public var problem: Problem?
  /// The address to which a response of the statuses 300 to 399 redirects.
  public var location: String?
  public var message: String

  public init(_ kind: Kind, message: String = "") { (self.kind, self.message) = (kind, message) }

  public static func status(
    _ status: Int, declineReason: String? = nil, retryAfter: Duration? = nil, problem: Problem? = nil
  ) -> HTTPError {
    var error = HTTPError(.status(status))
    (error.declineReason, error.retryAfter, error.problem) = (declineReason, retryAfter, problem)
    return error
  }

  public static let timedOut = HTTPError(.timedOut)

  /// The server may have processed the request.
  public static let connectionLost = HTTPError(.transport(mayHaveReachedServer: true))

  public static let notConnected = HTTPError(.transport(mayHaveReachedServer: false))

  /// Whether the server may process the request, now or later.
  public var mayHaveReachedServer: Bool {
    switch kind {
    case .timedOut: true
    case .transport(let mayHave): mayHave
    case .insecure, .invalidRequest: false
    case .status(let status): !(300..<500).contains(status) || problem == .inProgress
    }
  }

  public var status: Int? {
    if case .status(let status) = kind { status } else { nil }
  }
}

extension HTTPError: CancellationRepresentable {
  public static var cancellation: HTTPError { HTTPError(.transport(mayHaveReachedServer: true), message: "cancelled") }
}

extension HTTPError: CustomStringConvertible {
  public var description: String {
    var parts: [String]
    switch kind {
    case .status(let status): parts = ["status \(status)"]
    case .timedOut: parts = ["timed out"]
    case .transport(mayHaveReachedServer: true): parts = ["no usable response"]
    case .transport(mayHaveReachedServer: false): parts = ["no connection"]
    case .insecure: parts = ["no secure connection"]
    case .invalidRequest: parts = ["invalid request, not sent"]
    }
    if let declineReason { parts.append("declined: \(declineReason)") }
    if let location { parts.append("redirected to \(location)") }
    if let problem { parts.append(problem.rawValue) }
    if let retryAfter { parts.append("retry after \(retryAfter)") }
    if !message.isEmpty { parts.append(message) }
    return parts.joined(separator: ", ")
  }
}
