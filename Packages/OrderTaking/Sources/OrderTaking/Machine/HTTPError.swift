public import Futures

public struct HTTPError: Error, Hashable, Sendable {
  /// Later versions can add kinds.
  public struct Kind: Hashable, Sendable {
    fileprivate enum Value: Hashable, Sendable {
      case status(Int)
      case timedOut
      case transport(mayHaveReachedServer: Bool)
      case insecure
      case invalidRequest
    }

    fileprivate let value: Value

    /// The server responded with an error status.
    public static func status(_ status: Int) -> Kind { Kind(value: .status(status)) }
    public static let timedOut = Kind(value: .timedOut)
    /// There was no response, or it could not be read.
    ///
    /// `mayHaveReachedServer` is `false` if, for example, the connection was refused.
    public static func transport(mayHaveReachedServer: Bool) -> Kind {
      Kind(value: .transport(mayHaveReachedServer: mayHaveReachedServer))
    }
    /// The TLS connection failed, for example because the server's certificate is not trusted.
    ///
    /// The server has not processed the request. Such a request is not retried.
    public static let insecure = Kind(value: .insecure)
    /// The request is invalid, for example its URL, so nothing was sent.
    ///
    /// Such a request is not retried.
    public static let invalidRequest = Kind(value: .invalidRequest)

    var label: String {
      switch value {
      case .status(let status): "\(status)"
      case .timedOut: "timed_out"
      case .transport(mayHaveReachedServer: true): "connection_lost"
      case .transport(mayHaveReachedServer: false): "not_connected"
      case .insecure: "insecure"
      case .invalidRequest: "invalid_request"
      }
    }
  }

  /// The code of a problem in a response.
  ///
  /// Servers can add codes.
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
  /// The server's reason for a decline.
  ///
  /// With a reason, the error is a result.
  public var declineReason: String?
  /// The minimum time before the next request, from `Retry-After`.
  public var retryAfter: Duration?
  public var problem: Problem?
  public var message: String

  public init(
    _ kind: Kind, declineReason: String? = nil, retryAfter: Duration? = nil, problem: Problem? = nil,
    message: String = ""
  ) {
    self.kind = kind
    self.declineReason = declineReason
    self.retryAfter = retryAfter
    self.problem = problem
    self.message = message
  }

  public static func status(
    _ status: Int, declineReason: String? = nil, retryAfter: Duration? = nil, problem: Problem? = nil
  ) -> HTTPError {
    HTTPError(.status(status), declineReason: declineReason, retryAfter: retryAfter, problem: problem)
  }

  public static let timedOut = HTTPError(.timedOut)

  /// The server may have processed the request.
  public static let connectionLost = HTTPError(.transport(mayHaveReachedServer: true))

  public static let notConnected = HTTPError(.transport(mayHaveReachedServer: false))

  /// Whether the server may process the request, now or later.
  public var mayHaveReachedServer: Bool {
    switch kind.value {
    case .timedOut: true
    case .transport(let mayHave): mayHave
    case .insecure, .invalidRequest: false
    case .status(let status): !(400..<500).contains(status) || problem == .inProgress
    }
  }

  public var status: Int? {
    if case .status(let status) = kind.value { status } else { nil }
  }
}

extension HTTPError: CancellationRepresentable {
  public static var cancellation: HTTPError { HTTPError(.transport(mayHaveReachedServer: true), message: "cancelled") }
}

extension HTTPError: CustomStringConvertible {
  public var description: String {
    var parts: [String]
    switch kind.value {
    case .status(let status): parts = ["status \(status)"]
    case .timedOut: parts = ["timed out"]
    case .transport(true): parts = ["no usable response"]
    case .transport(false): parts = ["no connection"]
    case .insecure: parts = ["no secure connection"]
    case .invalidRequest: parts = ["invalid request, not sent"]
    }
    if let declineReason { parts.append("declined: \(declineReason)") }
    if let problem { parts.append(problem.rawValue) }
    if let retryAfter { parts.append("retry after \(retryAfter)") }
    if !message.isEmpty { parts.append(message) }
    return parts.joined(separator: ", ")
  }
}
