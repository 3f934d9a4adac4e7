internal import Arguments
internal import OrderTaking

/// Why `demo order` did not end with the order taken: what was tried, what is known, and the way out.
struct OrderError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds, in the order of their exit codes.
  enum Kind: Int32, Sendable, CaseIterable {
    case other = 1
    case unreachable = 10
    case status = 11
    case declined = 20
    case rejected = 21
    case unknown = 22
    case notSent = 23
    case key = 24
    case journal = 25
    case violation = 30
    case interrupted = 130

    var summary: String {
      switch self {
      case .other: "something else went wrong"
      case .unreachable: "the server cannot be reached"
      case .status: "the server answered with another status than 200"
      case .declined: "the server declined the order"
      case .rejected: "the server refused the request"
      case .unknown: "the order may be yours, and nobody knows yet"
      case .notSent: "nothing reached the server in time"
      case .key: "the server does not take the idempotency key"
      case .journal: "the journal cannot be read or written"
      case .violation: "an invariant does not hold in a simulated world"
      case .interrupted: "Ctrl-C; the last line says what is known"
      }
    }
  }

  let kind: Kind
  let description: String

  var exitCode: ExitCode { ExitCode(kind.rawValue) }

  /// The exit codes, for help.
  static let exitCodeTable =
    "Exit codes: 0 all went well, and orders that were to be taken are yours; 64 the command line is wrong; "
    + Kind.allCases.map { "\($0.rawValue) \($0.summary)" }.joined(separator: "; ") + "."
}

extension OrderError {
  /// How an order was not taken.
  ///
  /// - Parameters:
  ///   - journal: The file that knows what is left to do, when there is one.
  ///   - wasInterrupted: Whether somebody pressed Ctrl-C.
  init(_ failure: OrderTakingFailure, order: String, journal: String?, wasInterrupted: Bool = false) {
    let next =
      journal.map {
        "Find out with: demo order status \(order) --journal \($0); finish it with: demo order resume --journal \($0)"
      }
      ?? "Take it again: with --journal FILE the key survives the process, and nothing is asked for twice"
    let (kind, text): (Kind, String) =
      switch failure.kind {
      case .declined: (.declined, "Order \(order) is declined: \(failure.reason). Choose another one: demo order list.")
      case .rejected:
        (.rejected, "Order \(order): \(failure.reason) Check its name, --server and --token.")
      case .unknown: (.unknown, "Order \(order) may be yours: \(failure.reason) \(next).")
      case .cancelled:
        (.interrupted, "Order \(order) is not yours: cancelled before anything can have reached the server.")
      case .expired:
        (.notSent, "Order \(order) is not yours: \(failure.reason) Check --server, and that it is running.")
      case .keyMismatch, .keyExpired: (.key, "Order \(order): \(failure.reason)")
      case .journal: (.journal, failure.reason)
      default: (.other, "Order \(order): \(failure)")
      }
    self.init(kind: wasInterrupted ? .interrupted : kind, description: text)
  }
}
