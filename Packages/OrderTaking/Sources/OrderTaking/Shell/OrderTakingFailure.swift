public import Futures

/// Why an order was not taken, or why nobody knows whether it was.
///
/// Source: *Reasons to love functional programming*, which has the `reason` alone.
public struct OrderTakingFailure: Error, Hashable, Sendable {
  /// What kind of failure it is; more may come.
  public struct Kind: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The kind's name.
    public let rawValue: String
    /// Creates a kind.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The kind's name.
    public var description: String { rawValue }

    /// The server says no: ``OrderTakingFailure/reason`` is its reason.
    public static let declined = Kind(rawValue: "declined")
    /// The server refused the request as such, with ``OrderTakingFailure/status``, and has not taken it up.
    public static let rejected = Kind(rawValue: "rejected")
    /// Cancelled before anything can have reached the server.
    public static let cancelled = Kind(rawValue: "cancelled")
    /// Out of time or attempts before anything can have reached the server.
    public static let expired = Kind(rawValue: "expired")
    /// The order may be ours.
    ///
    /// Find out with `OrderTaker.settle(_:under:)`, or by taking it again, which uses the same key.
    public static let unknown = Kind(rawValue: "unknown")
    /// The server, or the operation under way, knows the intent with another body.
    public static let keyMismatch = Kind(rawValue: "key mismatch")
    /// The server has forgotten the key.
    public static let keyExpired = Kind(rawValue: "key expired")
    /// The journal could not be read or written, so nothing was sent.
    public static let journal = Kind(rawValue: "journal")
  }

  /// What kind of failure it is.
  public let kind: Kind

  /// Why: the server's own words for a decline, a sentence for a person otherwise.
  public let reason: String

  /// The status that the server answered with, when that is what ended it.
  public let status: Int?

  /// Creates a failure.
  public init(_ kind: Kind, reason: String, status: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.status = status
  }

  /// Creates the failure that an outcome is, or `nil` for an acceptance.
  public init?(_ outcome: TakingOutcome) {
    switch outcome {
    case .accepted: return nil
    case .declined(let reason): self.init(.declined, reason: reason)
    case .rejected(let status):
      self.init(.rejected, reason: "The server rejected the request with status \(status).", status: status)
    case .cancelled: self.init(.cancelled, reason: "It was cancelled before any request could reach the server.")
    case .expired:
      self.init(.expired, reason: "The request expired before a server processed it. Take the order again.")
    case .keyMismatch:
      self.init(.keyMismatch, reason: "The server has this idempotency key with another body. Use a new key.")
    case .keyExpired:
      self.init(.keyExpired, reason: "The server no longer knows this idempotency key. Take the order again.")
    case .unrecorded:
      self.init(
        .journal,
        reason:
          "Cannot take the order: writing the journal failed, so nothing was sent. Check its disk, then take the order again."
      )
    case .unknown(let cause):
      let why: String
      var status: Int?
      switch cause {
      case .cancelled: why = "It was cancelled"
      case .expired: why = "It expired"
      case .refused(let refusal): (why, status) = ("The server answered GET with status \(refusal)", refusal)
      }
      self.init(
        .unknown, reason: "\(why) after a PUT may have reached the server. Reconcile it, or take the order again.",
        status: status)
    }
  }
}

extension OrderTakingFailure: CancellationRepresentable {
  /// What a wait fails with that was cancelled: the operation knows more, and so does the journal.
  public static var cancellation: OrderTakingFailure {
    OrderTakingFailure(
      .unknown, reason: "The wait was cancelled, and the order may be taken. Reconcile it, or take the order again.")
  }
}

extension OrderTakingFailure: CustomStringConvertible {
  /// The kind, and why.
  public var description: String { "\(kind): \(reason)" }
}
