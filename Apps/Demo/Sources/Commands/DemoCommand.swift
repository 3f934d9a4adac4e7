internal import Arguments
internal import Foundation

/// The command line as a value.
enum DemoCommand: Sendable {
  case tour(TourCommand)
  case birds(BirdsCommand)
  case order(OrderAction)
  case app(AppCommand)
  case compare(CompareCommand)

  static let command = Command(
    "demo",
    abstract: "Show the packages of Boundaries at work, with real servers and files.",
    discussion: """
      Exit codes: 0 success, 1 failure, 3 unknown outcome of an order, 64 invalid command line, 130 interrupted.

      For completion in Bash, run: eval "$(demo --generate-completion-script bash)". Scripts for zsh and fish are available, too.
      """,
    version: "0.1.0",
    examples: [
      CommandExample("demo tour", "Run a tour of all packages."),
      CommandExample("demo help birds", "Show the help of one command."),
    ]
  ) {
    TourCommand.declaration
    BirdsCommand.declaration
    order.map(DemoCommand.order)
    app(.dictionary)
    app(.stories)
    open
    CompareCommand.declaration
  }
}

/// The URL of a web server.
struct ServerAddress: ExpressibleByArgument, Sendable, Equatable {
  let url: URL

  init(argument: String) throws(ValidationError) {
    guard let url = URL(string: argument), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host?.isEmpty == false, (1...65_535).contains(url.port ?? 80), url.query == nil, url.fragment == nil,
      url.user == nil, url.password == nil
    else {
      throw ValidationError("expected an HTTP URL without user, '?' and '#', such as http://127.0.0.1:8080")
    }
    self.url = url
  }

  /// The name of the server in log-ins and journals: the normalised URL.
  var name: String {
    let scheme = url.scheme?.lowercased() ?? "http"
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    var name = "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)\(url.path)"
    while name.hasSuffix("/") { name.removeLast() }
    return name
  }

  var defaultValueDescription: String { url.absoluteString }
}

struct Seconds: ExpressibleByArgument, Sendable, Equatable {
  let value: Double

  init(_ value: Double) { self.value = value }

  init(argument: String) throws(ValidationError) {
    guard let value = Double(argument), value.isFinite, value > 0, value <= 86_400 else {
      throw ValidationError("expected a number of seconds above 0 and at most 86400")
    }
    self.value = value
  }

  var duration: Duration { .seconds(value) }

  var defaultValueDescription: String { value.formatted() }
}
