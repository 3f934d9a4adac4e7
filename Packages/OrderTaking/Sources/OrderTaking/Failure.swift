public import Futures

/// The reason why an order was not taken, or why its result is unknown.
///
/// ``reason`` and ``description`` are made for people.
public struct OrderTakingFailure: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The server declined the order; ``OrderTakingFailure/reason`` is its reason.
    case declined
    /// The server rejected the request with ``OrderTakingFailure/status``, and did not process it.
    case rejected
    /// It was cancelled, and no PUT can have reached the server.
    case cancelled
    /// The time or the number of attempts was exceeded, TLS failed, or the request is invalid, and no PUT can have reached the
    /// server. After a restart, also: the server has no PUT of the order, and none can still arrive.
    case expired
    /// The server may have accepted the order.
    ///
    /// Get the result with ``OrderTaker/reconcile(_:under:)``, or take the order again, which uses the same key.
    case unknown
    /// The server, the operation under way or the journal has the key with another body.
    case keyMismatch = "key mismatch"
    case keyExpired = "key expired"
    /// The server redirects requests, so its address is wrong. Nothing was taken.
    case redirected
    /// A person gave up an unknown outcome; ``OrderTakingFailure/reason`` is that person's reason.
    case discarded
    /// The journal could not be read or written, or has no record to reconcile or resume. Nothing was sent.
    case journal
  }

  public let kind: Kind

  /// The end of the operation; `nil` if none has ended, for example because the wait was cancelled.
  public let outcome: TakingOutcome?

  /// The key of the intent, with which the server and its logs identify the requests; `nil` if no operation has ended.
  public let key: IdempotencyKey?

  public let journalError: JournalError?

  /// The last error of a request, as a text for people, for example that a proxy answered; `nil` for a declined order.
  public let lastError: String?

  public init(
    kind: Kind, outcome: TakingOutcome? = nil, key: IdempotencyKey? = nil, journalError: JournalError? = nil,
    lastError: String? = nil
  ) {
    self.kind = kind
    self.outcome = outcome
    self.key = key
    self.journalError = journalError
    self.lastError = lastError
  }

  /// Creates the failure of an outcome, or `nil` for an acceptance.
  public init?(
    _ outcome: TakingOutcome, key: IdempotencyKey? = nil, journalError: JournalError? = nil, lastError: String? = nil
  ) {
    let kind: Kind
    switch outcome {
    case .accepted: return nil
    case .declined: kind = .declined
    case .rejected: kind = .rejected
    case .cancelled: kind = .cancelled
    case .expired: kind = .expired
    case .redirected: kind = .redirected
    case .keyMismatch: kind = .keyMismatch
    case .keyExpired: kind = .keyExpired
    case .unrecorded: kind = .journal
    case .discarded: kind = .discarded
    case .unknown: kind = .unknown
    }
    self.init(
      kind: kind, outcome: outcome, key: key, journalError: journalError,
      lastError: kind == .declined ? nil : lastError)
  }

  /// The status of the response that ended the operation, if there was one.
  public var status: Int? {
    switch outcome {
    case .rejected(let status), .unknown(.refused(let status)): status
    default: nil
    }
  }

  /// The server's reason for a decline, otherwise a sentence for people.
  public var reason: String {
    switch outcome {
    case .declined(let reason), .discarded(let reason): return reason
    case .rejected(let status): return "The server rejected the request with status \(status)."
    case .cancelled: return "It was cancelled before any request could reach the server. Take the order again."
    case .expired:
      return
        "The operation ended before the server processed a PUT: the time or the attempts ran out, TLS failed, or the "
        + "address is invalid. Correct the cause, and take the order again."
    case .redirected(let location):
      return "The server redirects to \(location), and nothing was taken. Correct the address of the server."
    case .keyMismatch: return "The server has this idempotency key with another body. Use a new key."
    case .keyExpired: return "The server no longer knows this idempotency key. Take the order again."
    case .unrecorded:
      return "Cannot take the order: writing the journal failed, so nothing was sent. \(journalAdvice)"
    case .unknown(.journal):
      return
        "The journal could not be written. It may contain an earlier step, from which a restart would take the order. "
        + journalAdvice
    case .unknown(.fenced):
      return
        "This process no longer owns the order. Another process may have taken it over, and then reports its result. "
        + "Reconcile it, or take the order again."
    case .unknown(let cause):
      let end =
        switch cause {
        case .refused(let status): "The server answered GET with status \(status)"
        case .expired: "It expired"
        case let cause: "It was \(cause)"
        }
      return "\(end) after a PUT may have reached the server. Reconcile it, or take the order again."
    case .accepted, nil:
      if let journalError { return journalError.description }
      switch kind {
      case .keyMismatch: return "An earlier request for the order has another body. Use the same body."
      case .journal: return "The journal has no record of the order. Take the order again."
      default: return "The wait was cancelled, and the order may be taken. Reconcile it, or take the order again."
      }
    }
  }

  /// The error contains its own advice.
  private var journalAdvice: String {
    journalError.map { "The error of the journal: \($0)" } ?? "Check its disk, then take the order again."
  }
}

extension OrderTakingFailure: CancellationRepresentable {
  /// The failure of a cancelled wait.
  public static var cancellation: OrderTakingFailure { OrderTakingFailure(kind: .unknown) }
}

extension OrderTakingFailure: CustomStringConvertible {
  public var description: String {
    guard let lastError else { return "\(kind.rawValue): \(reason)" }
    return "\(kind.rawValue): \(Self.sentence(reason)) The last error: \(Self.sentence(lastError))"
  }

  private static func sentence(_ text: String) -> String {
    [".", "!", "?"].contains(text.last) ? text : text + "."
  }
}
