internal import Arguments
internal import OrderTaking

/// Why `demo order` did not end with the order taken: what was tried, what is known, and the way out.
struct OrderError: Error, Sendable, Equatable, CustomStringConvertible {
  typealias Kind = ExitReason

  let kind: Kind
  let description: String

  var exitCode: ExitCode { kind.exitCode }

  /// The exit codes, for help.
  static let exitCodeTable = ExitReason.table(
    .unreachable, .status, .declined, .rejected, .unknown, .notSent, .key, .journal, .interrupted)
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
