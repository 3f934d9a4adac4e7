internal import Arguments
internal import Foundation

/// The command line as a value.
enum DemoCommand: Sendable {
  case birds(BirdsOptions)
  case order(OrderAction)
  case apps(AppsOptions)
  case snapshot(SnapshotAction)
  case tour(TourOptions)
  case exitCodes(json: Bool)

  static let version = "0.1.0"

  static let command = Command(
    "demo",
    abstract: "Show the packages of Boundaries at work, with real servers and files.",
    discussion: """
      The help of each command lists its exit codes; 'demo exit-codes' lists all of them. Errors go to standard error.

      For completion in Bash, run: eval "$(demo --generate-completion-script bash)". Scripts for zsh and fish are available, too.
      """,
    version: version,
    examples: [
      CommandExample("demo tour", "Run a tour of all packages."),
      CommandExample("demo help birds", "Show the help of one command."),
    ]
  ) {
    tour.map(DemoCommand.tour)
    birds.map(DemoCommand.birds)
    order.map(DemoCommand.order)
    dictionary.map(DemoCommand.apps)
    stories.map(DemoCommand.apps)
    open.map(DemoCommand.apps)
    snapshot.map(DemoCommand.snapshot)
    exitCodeTable
  }

  private static let exitCodeTable = Command(
    "exit-codes",
    abstract: "List all exit codes.",
    discussion: "An exit code has the same meaning for every command.\n\n\(ExitReason.table)",
    examples: [CommandExample("demo exit-codes --json", "Print the list as JSON lines.")],
    output: DemoCommand.exitCodes(json:)
  ) {
    CommonOptions.json
  }

  private static let birds = Command(
    "birds",
    abstract: "Load a list of birds and their pictures over HTTP, and show them.",
    discussion: """
      Without --server, the command starts an embedded server with eight birds. The command requests the list at /birds, \
      then all pictures at the same time.

      \(BirdsError.exitCodeTable)
      """,
    examples: [
      CommandExample("demo birds", "Show the birds of the embedded server."),
      CommandExample("demo birds --server http://127.0.0.1:8080 --json", "Use another server and print JSON."),
      CommandExample("demo birds --save pictures", "Save the pictures in a folder."),
    ],
    output: BirdsOptions.init
  ) {
    CommonOptions.server
    Option<FolderPath?>(
      "save", short: "s", valueName: "dir", help: "Save each picture in this folder.", completion: .directory)
    Option<Seconds>(
      "timeout", default: Seconds(10), valueName: "seconds",
      help: "Time limit for each request, including time in the queue.")
    CommonOptions.json
    CommonOptions.quiet
    CommonOptions.color
    ClientTLS.options
  }
}

struct BirdsOptions: Sendable {
  var server: ServerAddress?
  var save: FolderPath?
  var timeout: Seconds
  var json: Bool
  var quiet: Bool
  var color: ColorChoice
  var tls: ClientTLS

  init(
    server: ServerAddress?, save: FolderPath?, timeout: Seconds, json: Bool, quiet: Bool, color: ColorChoice,
    tls: ClientTLS = .none
  ) throws(ValidationError) {
    try tls.check(with: server)
    (self.server, self.save, self.timeout) = (server, save, timeout)
    (self.json, self.quiet, self.color, self.tls) = (json, quiet, color, tls)
  }
}

/// The URL of a web server.
struct ServerAddress: ExpressibleByArgument, Sendable, Equatable {
  let url: URL

  init(argument: String) throws(ValidationError) {
    guard let url = URL(string: argument), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty, host.utf8.allSatisfy(Self.isPartOfHost), (1...65_535).contains(url.port ?? 80)
    else {
      throw ValidationError("expected an HTTP URL such as http://127.0.0.1:8080")
    }
    guard url.query == nil, url.fragment == nil else {
      throw ValidationError("expected a URL without '?' and '#', such as http://127.0.0.1:8080")
    }
    self.url = url
  }

  /// Returns whether a byte can be part of a host name or an IP address.
  private static func isPartOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    // Digits, letters, and the bytes of other scripts.
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: "-._:[]".utf8.contains(byte)
    }
  }

  /// The name of the server in log-ins and journals: the normalised URL, without user and password.
  var name: String {
    let scheme = url.scheme?.lowercased() ?? "http"
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    var name = "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)\(url.path)"
    while name.hasSuffix("/") { name.removeLast() }
    return name
  }

  var defaultValueDescription: String { url.absoluteString }
}

struct FolderPath: ExpressibleByArgument, Sendable, Equatable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else {
      throw ValidationError("expected a folder; '.' is the current folder")
    }
    path = argument
  }

  var defaultValueDescription: String { path }
}

struct Seconds: ExpressibleByArgument, Sendable, Equatable {
  let value: Double

  init(_ value: Double) {
    self.value = value
  }

  init(argument: String) throws(ValidationError) {
    guard let value = Double(argument), value.isFinite, value > 0, value <= 86_400 else {
      throw ValidationError("expected a number of seconds above 0 and at most 86400")
    }
    self.value = value
  }

  var duration: Duration { .seconds(value) }

  var defaultValueDescription: String { value.formatted() }
}
