public import Futures

/// The reason why an order was not taken, or why its result is unknown.
///
/// Source: *Reasons to love functional programming*, which has only the `reason`.
public struct OrderTakingFailure: Error, Hashable, Sendable {
  /// Later versions can add kinds.
  public struct Kind: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The server declined the order; ``OrderTakingFailure/reason`` is its reason.
    public static let declined = Kind(rawValue: "declined")
    /// The server rejected the request with ``OrderTakingFailure/status``, and did not process it.
    public static let rejected = Kind(rawValue: "rejected")
    /// It was cancelled, and no PUT can have reached the server.
    public static let cancelled = Kind(rawValue: "cancelled")
    /// The time or the number of attempts was exceeded, TLS failed, or the request is invalid, and no PUT can have reached the
    /// server.
    ///
    /// After a restart it can also mean that the server has no PUT of the order, and that none can still arrive.
    public static let expired = Kind(rawValue: "expired")
    /// The server may have accepted the order.
    ///
    /// Get the result with `OrderTaker.reconcile(_:under:)`, or take the order again, which uses the same key.
    public static let unknown = Kind(rawValue: "unknown")
    /// The server, the operation under way or the journal has the key with another body.
    public static let keyMismatch = Kind(rawValue: "key mismatch")
    public static let keyExpired = Kind(rawValue: "key expired")
    /// The journal could not be read or written, or has no record to reconcile or resume.
    ///
    /// The call has sent nothing.
    public static let journal = Kind(rawValue: "journal")
  }

  public let kind: Kind

  /// The server's reason for a decline, otherwise a sentence for people.
  public let reason: String

  /// The status of the response that ended the operation, if there was one.
  public let status: Int?

  /// The cause of an unknown outcome, if the operation ended with one.
  public let cause: TakingOutcome.UnknownCause?

  public init(_ kind: Kind, reason: String, status: Int? = nil, cause: TakingOutcome.UnknownCause? = nil) {
    self.kind = kind
    self.reason = reason
    self.status = status
    self.cause = cause
  }

  /// Creates the failure of an outcome, or `nil` for an acceptance.
  public init?(_ outcome: TakingOutcome) {
    switch outcome {
    case .accepted: return nil
    case .declined(let reason): self.init(.declined, reason: reason)
    case .rejected(let status):
      self.init(.rejected, reason: "The server rejected the request with status \(status).", status: status)
    case .cancelled:
      self.init(
        .cancelled, reason: "It was cancelled before any request could reach the server. Take the order again.")
    case .expired:
      self.init(
        .expired,
        reason:
          "The operation ended before the server processed a PUT: the time or the attempts ran out, TLS failed, or the address is "
          + "invalid. Correct the cause, and take the order again.")
    case .keyMismatch:
      self.init(.keyMismatch, reason: "The server has this idempotency key with another body. Use a new key.")
    case .keyExpired:
      self.init(.keyExpired, reason: "The server no longer knows this idempotency key. Take the order again.")
    case .unrecorded:
      self.init(
        .journal,
        reason: "Cannot take the order: writing the journal failed, so nothing was sent." + Self.journalAdvice)
    case .unknown(let cause):
      let why: String
      var status: Int?
      switch cause {
      case .cancelled: why = "It was cancelled"
      case .expired: why = "It expired"
      case .refused(let refusal): (why, status) = ("The server answered GET with status \(refusal)", refusal)
      case .journal:
        self.init(
          .unknown,
          reason: "The journal could not be written, so another process may take the order." + Self.journalAdvice,
          cause: cause)
        return
      case .fenced:
        self.init(
          .unknown,
          reason:
            "This process no longer owns the order. Another process may have taken it over, and then reports its result. "
            + "Reconcile it, or take the order again.",
          cause: cause)
        return
      }
      self.init(
        .unknown, reason: "\(why) after a PUT may have reached the server. Reconcile it, or take the order again.",
        status: status, cause: cause)
    }
  }
}

extension OrderTakingFailure {
  private static let journalAdvice = " Check its disk, then take the order again."

  /// The reason without the advice that an error of the journal replaces.
  var statement: Substring {
    reason.hasSuffix(Self.journalAdvice) ? reason.dropLast(Self.journalAdvice.count) : reason[...]
  }

  /// The error contains its own advice.
  func because(of error: (any Error)?) -> OrderTakingFailure {
    guard let error, self == OrderTakingFailure(.unrecorded) || self == OrderTakingFailure(.unknown(.journal)) else {
      return self
    }
    let reason = "\(statement) The error of the journal: \(error)"
    return OrderTakingFailure(kind, reason: reason, status: status, cause: cause)
  }
}

extension OrderTakingFailure: CancellationRepresentable {
  /// The failure of a cancelled wait.
  ///
  /// The operation continues, and the journal has its state.
  public static var cancellation: OrderTakingFailure {
    OrderTakingFailure(
      .unknown, reason: "The wait was cancelled, and the order may be taken. Reconcile it, or take the order again.")
  }
}

extension OrderTakingFailure: CustomStringConvertible {
  public var description: String { "\(kind): \(reason)" }
}
