internal import Arguments
internal import Foundation
internal import OrderTaking

/// Why `demo order` did not end with the order taken: what was tried, what is known, and the way out.
struct OrderError: Error, Sendable, Equatable, CustomStringConvertible {
  typealias Kind = ExitReason

  let kind: Kind
  let description: String

  var exitCode: ExitCode { kind.exitCode }
}

extension OrderError {
  /// A signal came, and there is nothing else to say.
  static let interrupted = OrderError(kind: .interrupted, description: Interrupted().description)

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
    let next =
      if options.journal == nil {
        "Take it again: with --journal FILE the key survives the process, and nothing is asked for twice."
      } else if wasOnlyAsked {
        "Ask again with: \(options.command("status", order)); if you still want it, take it again under the same key with: "
          + options.command("take", order)
      } else {
        "Find out with: \(options.command("status", order)); finish it with: \(options.command("resume"))"
      }
    let (kind, text): (Kind, String) =
      switch failure.kind {
      case .declined:
        (
          .declined,
          "Order \(order) is declined: \(failure.reason). Choose another one: demo order list\(options.sameServer)"
        )
      case .rejected:
        (.rejected, "Order \(order): \(failure.reason) Check its name, --server and --token.")
      case .unknown:
        (
          .unknown,
          "Order \(order) may be yours: \(failure.reason) " + (failure.status == 401 ? "Check --token. " : "") + next
        )
      case .cancelled:
        (.interrupted, "Order \(order) is not yours: cancelled before anything can have reached the server.")
      case .expired where wasOnlyAsked:
        (
          .notSent,
          "Order \(order) is not yours: no server has taken it up. Take it again: "
            + options.command("take", order)
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
  /// Another subcommand, to be pasted into a shell, that is given the same journal and the same server.
  func command(_ name: String, _ order: String? = nil) -> String {
    let start = "demo order \(name)"
    let rest = (journal.map { " --journal \(ShellWord.quoted($0.path))" } ?? "") + sameServer + samePush
    guard let order else { return start + rest }
    // What looks like an option is one, unless nothing can come any more that is.
    return order.hasPrefix("-")
      ? "\(start)\(rest) -- \(ShellWord.quoted(order))" : "\(start) \(ShellWord.quoted(order))\(rest)"
  }

  /// Secrets are left out: a token, and a password in a URL.
  var sameServer: String {
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
    // Without `~`, which is somebody's folder; and Z shells look for a command where a word begins with `=`.
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:@%+,=")
    return !word.isEmpty && word.allSatisfy(plain.contains) && !word.hasPrefix("=")
      ? word : "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
