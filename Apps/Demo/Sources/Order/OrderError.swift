internal import Arguments
internal import Foundation
internal import FuturesNetworking
internal import OrderTaking

/// An error of `demo order`, with a hint.
struct OrderError: Error, Sendable, Equatable, CustomStringConvertible {
  typealias Kind = ExitReason

  let kind: Kind
  let description: String

  var exitCode: ExitCode { kind.exitCode }
}

extension OrderError {
  /// A signal ended the command before there was an outcome to report.
  static let interrupted = OrderError(kind: .interrupted, description: Interrupted().description)

  /// A signal ended the command before it read what an earlier one has done.
  static func cancelledBeforeReading(_ order: String, _ options: OrderOptions) -> OrderError {
    OrderError(
      kind: .interrupted,
      description:
        "Cancelled: this command sent no request for order \(order). To see whether an earlier one has taken it: "
        + options.command("take", order))
  }

  /// Creates an error for a request without a response.
  init(_ error: NetworkError) {
    self.init(kind: error.kind == .timedOut ? .timedOut : .unreachable, description: error.description)
  }

  static func status(_ status: Int, at url: URL) -> OrderError {
    let advice =
      switch status {
      case 401: "Give its token with --token."
      case 429: tooManyRequests
      case 500...: "Look at the server's log, or try again."
      default: "Check the address given with --server."
      }
    return OrderError(
      kind: .status,
      description:
        "Cannot GET \(url.withoutSecrets): the server answered with status \(status) instead of 200. \(advice)")
  }

  private static let tooManyRequests = "The server limits the requests of this client. Try again later."

  static func malformedList(at url: URL) -> OrderError {
    OrderError(
      kind: .malformedList,
      description:
        "Cannot GET \(url.withoutSecrets): the response is not a list of orders. Check the address given with --server."
    )
  }

  /// Creates the error for an order that was not taken, or whose outcome is unknown.
  ///
  /// - Parameters:
  ///   - options: The options of this command. The suggested command uses the same server and journal.
  ///   - again: The command to repeat, if it can only ask the server or resume.
  ///   - wasOnlyAsked: Whether the intent was too old for another PUT, so that only GET was sent.
  ///   - wasInterrupted: Whether a signal cancelled the operation.
  ///   - lastError: The error of the last failed request, if there is one.
  init(
    _ failure: OrderTakingFailure, order: String, _ options: OrderOptions, again: String? = nil,
    wasOnlyAsked: Bool = false, wasInterrupted: Bool = false, lastError: HTTPError? = nil
  ) {
    let last = Self.sentence(lastError)
    // A message of the HTTP client is a sentence with its own advice.
    let isAdvised = lastError?.message.hasPrefix("Cannot ") == true
    let next =
      if options.database != nil {
        "Ask the server again, with the same idempotency key: \(options.command("take", order))"
      } else if options.journal == nil {
        "Add --journal FILE to keep the idempotency key, and take it again: "
          + options.command("take", order, newJournal: "FILE")
      } else if let again {
        (isAdvised
          ? "Then repeat: "
          : lastError != nil && lastError?.status == nil
            ? "Check that the server responds, then repeat: " : "Try again: ")
          + again
          + (wasOnlyAsked ? "; or take it again with the same idempotency key: \(options.command("take", order))" : "")
      } else {
        "Ask the server: \(options.command("status", order)); finish it: \(options.command("resume"))"
      }
    if lastError?.kind == .insecure, !wasInterrupted, failure.kind == .expired {
      let advice =
        last.hasSuffix("to the trusted authorities.")
        ? "Give it with --ca." : isAdvised ? "" : "Check --server and --ca."
      self.init(kind: .unreachable, description: Self.text("Order \(order) was not taken.", last, advice))
      return
    }
    if lastError?.kind == .invalidRequest, !wasInterrupted, failure.kind == .expired {
      self.init(
        kind: .unreachable,
        description: Self.text(
          "Order \(order) was not taken, and nothing was sent.", last, isAdvised ? "" : "Check --server."))
      return
    }
    if failure == .cancellation, options.database != nil {
      self.init(
        kind: .interrupted,
        description:
          "Order \(order) was not taken by this process: another worker owns it, and has not answered the request to cancel "
          + "it. See the workers: demo order status --database URL. Get the outcome when the lease has ended: "
          + options.command("take", order))
      return
    }
    let progress = lastError?.status == nil ? "no request reached the server" : "the server accepted no request"
    let (kind, text): (Kind, String) =
      switch failure.kind {
      case .declined:
        (
          .declined,
          "Order \(order) was declined: \(failure.reason). Choose another order: \(options.listCommand)"
        )
      case .rejected:
        (.rejected, "Cannot take order \(order): \(Self.rejection(failure.status, options))")
      case .unknown:
        (
          .unknown,
          Self.text(
            "The outcome of order \(order) is unknown: \(Self.cause(failure, wasInterrupted, lastError)).",
            failure.status == 401 ? "Check --token." : failure.status == nil ? last : "", next)
        )
      case .cancelled:
        (.interrupted, "Order \(order) was not taken: cancelled before a request reached the server.")
      case .expired where wasOnlyAsked:
        (
          .notSent,
          "Order \(order) was not taken: the server has no record of it. Take it again: "
            + options.command("take", order)
        )
      case .expired:
        (
          .notSent,
          Self.text(
            "Order \(order) was not taken: \(progress) before the time limit.", last,
            lastError?.status == 429
              ? Self.tooManyRequests
                // Without an error, the time limit ended before the first request.
              : options.server == nil || lastError == nil
                ? "Give a longer --timeout." : isAdvised ? "" : "Check --server, and that the server is running.")
        )
      case .keyMismatch:
        (
          .key,
          "Cannot take order \(order): its idempotency key was already used for a different request. "
            + "Take it again with a new key: \(options.command("take", order))"
        )
      case .keyExpired:
        (
          .key,
          "Cannot take order \(order): its idempotency key has expired on the server. "
            + "Take it again with a new key: \(options.command("take", order))"
        )
      case .journal: (.journal, failure.reason)
      default: (.other, "Order \(order): \(failure)")
      }
    self.init(kind: wasInterrupted ? .interrupted : kind, description: text)
  }
}

extension OrderError {
  /// Joins the sentences that are not empty.
  private static func text(_ sentences: String...) -> String {
    sentences.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The cause and the next step for a request that the server rejected.
  private static func rejection(_ status: Int?, _ options: OrderOptions) -> String {
    switch status {
    case 400: "the server does not accept this name. See the names with: \(options.listCommand)"
    case 401: "the token is missing or wrong. Give it with --token."
    case 404: "no order has this name. See the names with: \(options.listCommand)"
    default:
      "the server rejected the request\(status.map { " with status \($0)" } ?? ""). Check --server and --token."
    }
  }

  private static func cause(
    _ failure: OrderTakingFailure, _ wasInterrupted: Bool, _ lastError: HTTPError?
  ) -> String {
    if let status = failure.status { return "the server answered with status \(status)" }
    if wasInterrupted { return "cancelled before the server answered" }
    guard failure != OrderTakingFailure(.unknown(.expired)) else {
      // A failure of TLS ends an operation before its time limit.
      return lastError?.kind == .insecure ? "no final answer" : "no final answer before the time limit"
    }
    // The next step is a command, so the advice for Swift programs is omitted.
    let text = failure.reason.replacingOccurrences(of: " Reconcile it, or take the order again.", with: "")
    let reason = text.hasSuffix(".") ? text.dropLast() : text[...]
    return reason.prefix(1).lowercased() + reason.dropFirst()
  }

  /// The error of the last failed request, as a sentence.
  private static func sentence(_ lastError: HTTPError?) -> String {
    guard let lastError else { return "" }
    let text = lastError.message.hasPrefix("Cannot ") ? lastError.message : lastError.description
    return "Last error: \(text)\(text.hasSuffix(".") ? "" : ".")"
  }
}

extension OrderOptions {
  /// Another subcommand with the same journal and server, quoted for a shell.
  ///
  /// - Parameter newJournal: The journal to print instead of the one in these options.
  func command(_ name: String, _ order: String? = nil, newJournal: String? = nil) -> String {
    let start = "demo order \(name)"
    let rest = (newJournal.map { " --journal \($0)" } ?? sameJournal) + sameServer + samePush
    guard let order else { return start + rest }
    // After `--`, a name that looks like an option is an argument.
    return order.hasPrefix("-")
      ? "\(start)\(rest) -- \(ShellWord.quoted(order))" : "\(start) \(ShellWord.quoted(order))\(rest)"
  }

  /// The `--server` and `--token` options without secrets: the token, and user and password in the URL.
  var sameServer: String {
    sameAddress + (server == nil || token == EmbeddedServer.token ? "" : " --token TOKEN")
  }

  private var sameAddress: String {
    guard let url = server?.url else { return "" }
    let isSecret = url.user != nil || url.password != nil
    let files = tls.words.map { " \($0.option) \(ShellWord.quoted($0.path))" }.joined()
    return " --server \(isSecret ? "URL" : ShellWord.quoted(url.absoluteString))" + files
  }

  /// The command that repairs the journal.
  func repairCommand(_ option: String) -> String { "demo order repair" + sameJournal + sameAddress + " " + option }

  /// The command that lists the open orders of the same server.
  ///
  /// The embedded server stores its orders beside the journal.
  var listCommand: String {
    "demo order list" + (server == nil ? sameJournal : sameServer)
  }

  /// Without the address of a database, because it can contain a password.
  private var sameJournal: String {
    database == nil ? journal.map { " --journal \(ShellWord.quoted($0.path))" } ?? "" : " --database URL"
  }

  private var samePush: String { push.map { " --push \(ShellWord.quoted($0.defaultValueDescription))" } ?? "" }
}

private enum ShellWord {
  static func quoted(_ word: String) -> String {
    // `~` needs quotes, and in zsh a leading `=` does too.
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:@%+,=")
    return !word.isEmpty && word.allSatisfy(plain.contains) && !word.hasPrefix("=")
      ? word : "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
