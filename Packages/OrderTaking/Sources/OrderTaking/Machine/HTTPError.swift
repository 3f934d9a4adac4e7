public import Futures

/// Why a request was not answered with what it asked for.
public struct HTTPError: Error, Hashable, Sendable {
  /// What went wrong; more may come.
  public struct Kind: Hashable, Sendable {
    fileprivate enum Value: Hashable, Sendable {
      case status(Int)
      case timedOut
      case transport(mayHaveReachedServer: Bool)
    }

    fileprivate let value: Value

    /// The server answered with a status that is no success.
    ///
    /// - Parameter status: The status, as a number.
    public static func status(_ status: Int) -> Kind { Kind(value: .status(status)) }
    /// No answer in time.
    public static let timedOut = Kind(value: .timedOut)
    /// No answer, or one that could not be read.
    ///
    /// - Parameter mayHaveReachedServer: `false` for a request that certainly never left, such as one whose connection was
    ///   refused.
    public static func transport(mayHaveReachedServer: Bool) -> Kind {
      Kind(value: .transport(mayHaveReachedServer: mayHaveReachedServer))
    }
  }

  /// What a server says in words of its protocol; more may come.
  public struct Problem: Hashable, Sendable, RawRepresentable {
    /// The word.
    public let rawValue: String

    /// Creates a problem from the server's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The key was used before with another body.
    public static let idempotencyKeyMismatch = Problem(rawValue: "idempotency_key_mismatch")
    /// The server no longer remembers the key.
    public static let idempotencyKeyExpired = Problem(rawValue: "idempotency_key_expired")
    /// Another request with this key is being worked on.
    public static let inProgress = Problem(rawValue: "in_progress")
    /// No wish of this caller for this order was ever taken up.
    public static let noSuchTaking = Problem(rawValue: "no_such_taking")
  }

  /// What went wrong.
  public var kind: Kind
  /// Why the server declines the order, when it says so: then the error is an answer.
  public var declineReason: String?
  /// How long the server asks to be left alone.
  public var retryAfter: Duration?
  /// What the server calls it.
  public var problem: Problem?
  /// What a person may want to know, for logs.
  public var message: String

  /// Creates an error.
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

  /// An answer with a status that is no success.
  public static func status(
    _ status: Int, declineReason: String? = nil, retryAfter: Duration? = nil, problem: Problem? = nil
  ) -> HTTPError {
    HTTPError(.status(status), declineReason: declineReason, retryAfter: retryAfter, problem: problem)
  }

  /// No answer in time.
  public static let timedOut = HTTPError(.timedOut)

  /// A connection that was lost, so that nobody knows what the server has done.
  public static let connectionLost = HTTPError(.transport(mayHaveReachedServer: true))

  /// A connection that was never made.
  public static let notConnected = HTTPError(.transport(mayHaveReachedServer: false))

  /// Whether the server may have acted on the request, or may still do so.
  public var mayHaveReachedServer: Bool {
    switch kind.value {
    case .timedOut: true
    case .transport(let mayHave): mayHave
    case .status(let status): !(400..<500).contains(status) || problem == .inProgress
    }
  }

  /// The status, when the server answered with one.
  public var status: Int? {
    if case .status(let status) = kind.value { status } else { nil }
  }
}

extension HTTPError: CancellationRepresentable {
  /// What a request fails with that was cancelled on its way.
  public static var cancellation: HTTPError { HTTPError(.transport(mayHaveReachedServer: true), message: "cancelled") }
}

extension HTTPError: CustomStringConvertible {
  /// What went wrong, in a line.
  public var description: String {
    var parts: [String]
    switch kind.value {
    case .status(let status): parts = ["status \(status)"]
    case .timedOut: parts = ["timed out"]
    case .transport(true): parts = ["no usable response"]
    case .transport(false): parts = ["no connection"]
    }
    if let declineReason { parts.append("declined: \(declineReason)") }
    if let problem { parts.append(problem.rawValue) }
    if let retryAfter { parts.append("retry after \(retryAfter)") }
    if !message.isEmpty { parts.append(message) }
    return parts.joined(separator: ", ")
  }
}
