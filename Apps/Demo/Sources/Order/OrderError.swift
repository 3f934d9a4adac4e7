internal import Arguments
internal import Foundation
internal import OrderTaking

/// Why `demo order` did not end with the order taken: what was tried, what is known, and the way out.
struct OrderError: Error, Sendable, Equatable, CustomStringConvertible {
  typealias Kind = ExitReason

  let kind: Kind
  let description: String

  var exitCode: ExitCode { kind.exitCode }

  /// The exit codes, for help.
  static let exitCodeTable = ExitReason.table(
    .unreachable, .status, .malformedList, .timedOut, .cannotListen, .declined, .rejected, .unknown, .notSent,
    .key, .journal)
}

extension OrderError {
  /// The list of orders was not answered.
  init(_ error: HTTPError, at url: URL) {
    let attempt = "GET \(url.withoutSecrets): "
    switch error.kind {
    case .timedOut: self.init(kind: .timedOut, description: attempt + "no whole answer in time. Try again.")
    case .transport(mayHaveReachedServer: false):
      self.init(
        kind: .unreachable,
        // In the words of NetworkError, so that all commands say the same.
        description: attempt
          + (error.message.hasSuffix("Connection refused")
            ? "nothing accepts connections there" : "no connection (\(error.message))")
          + ". Start the server, or check the host and the port.")
    default:
      self.init(
        kind: .unreachable, description: attempt + "the connection ended without a whole answer. Try again.")
    }
  }

  static func status(_ status: Int, at url: URL) -> OrderError {
    let advice =
      switch status {
      case 401: "Give its token with --token."
      case 429: "It has too much to do. Try again later."
      case 500...: "Look into the server's log, and try again."
      default: "Check the address given with --server."
      }
    return OrderError(
      kind: .status,
      description: "GET \(url.withoutSecrets): the server answered with status \(status) instead of 200. \(advice)")
  }

  static func malformedList(at url: URL) -> OrderError {
    OrderError(
      kind: .malformedList,
      description: "GET \(url.withoutSecrets): the answer is no list of orders. Check the address given with --server.")
  }

  /// How an order was not taken.
  ///
  /// - Parameters:
  ///   - options: What was given, since the way out is to be given to the same server and the same journal.
  ///   - wasOnlyAsked: Whether the wish was too old to be put again.
  ///   - wasInterrupted: Whether somebody pressed Ctrl-C.
  init(
    _ failure: OrderTakingFailure, order: String, _ options: OrderOptions, wasOnlyAsked: Bool = false,
    wasInterrupted: Bool = false
  ) {
    let (name, rest) = (ShellWord.quoted(order), options.sameAgain)
    let next =
      if options.journal == nil {
        "Take it again: with --journal FILE the key survives the process, and nothing is asked for twice"
      } else if wasOnlyAsked {
        "Ask again with: demo order status \(name)\(rest); if you still want it, take it again under the same key with: "
          + "demo order take \(name)\(rest)"
      } else {
        "Find out with: demo order status \(name)\(rest); finish it with: demo order resume\(rest)"
      }
    let (kind, text): (Kind, String) =
      switch failure.kind {
      case .declined:
        (
          .declined,
          "Order \(order) is declined: \(failure.reason). Choose another one: demo order list\(options.sameServer)."
        )
      case .rejected:
        (.rejected, "Order \(order): \(failure.reason) Check its name, --server and --token.")
      case .unknown: (.unknown, "Order \(order) may be yours: \(failure.reason) \(next).")
      case .cancelled:
        (.interrupted, "Order \(order) is not yours: cancelled before anything can have reached the server.")
      case .expired where wasOnlyAsked:
        (
          .notSent,
          "Order \(order) is not yours: no server has taken it up. Take it again: demo order take \(name)\(rest)"
        )
      case .expired:
        (
          .notSent,
          "Order \(order) is not yours: \(failure.reason) "
            + "Check --server, and that it is running and takes requests."
        )
      case .keyMismatch, .keyExpired: (.key, "Order \(order): \(failure.reason)")
      case .journal: (.journal, failure.reason)
      default: (.other, "Order \(order): \(failure)")
      }
    self.init(kind: wasInterrupted ? .interrupted : kind, description: text)
  }
}

extension OrderOptions {
  /// What says again, to another subcommand, which journal and which server were meant.
  fileprivate var sameAgain: String {
    (journal.map { " --journal \(ShellWord.quoted($0.path))" } ?? "") + sameServer + samePush
  }

  /// Secrets are left out: a token, and a password in a URL.
  fileprivate var sameServer: String {
    guard let url = server?.url else { return "" }
    let isSecret = url.user != nil || url.password != nil
    return " --server \(isSecret ? "URL" : ShellWord.quoted(url.absoluteString))"
      + (token == EmbeddedServer.token ? "" : " --token TOKEN")
  }

  private var samePush: String { push.map { " --push \(ShellWord.quoted($0.defaultValueDescription))" } ?? "" }
}

/// Words that can be pasted into a shell.
private enum ShellWord {
  static func quoted(_ word: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:@%+,=")
    return !word.isEmpty && word.allSatisfy(plain.contains)
      ? word : "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
