internal import Arguments
internal import Foundation

/// What can be typed, as a value.
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
    abstract: "The packages of Boundaries at work, on real servers and files.",
    discussion: """
      Each command's help tells its exit codes; 'demo exit-codes' tells all of them. Errors go to standard error, and say what \
      to do next.

      In Bash, eval "$(demo --generate-completion-script bash)" completes what is typed; there are scripts for zsh and fish, too.
      """,
    version: version,
    examples: [
      CommandExample("demo tour", "See all of it at work."),
      CommandExample("demo help birds", "What one command can do."),
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
    abstract: "Tell what each exit code means.",
    discussion: "A code means the same whichever command ends with it.\n\n\(ExitReason.table)",
    examples: [CommandExample("demo exit-codes --json", "For a script.")],
    output: DemoCommand.exitCodes(json:)
  ) {
    CommonOptions.json
  }

  private static let birds = Command(
    "birds",
    abstract: "Load a list of birds and their pictures over HTTP, and show them.",
    discussion: """
      Without --server, a server with eight birds is started on this machine for the time of the command. It is asked for \
      /birds, which is a list, then for all pictures at the same time.

      \(BirdsError.exitCodeTable)
      """,
    examples: [
      CommandExample("demo birds", "Show the birds of the embedded server."),
      CommandExample("demo birds --server http://127.0.0.1:8080 --json", "Ask another server, print JSON."),
      CommandExample("demo birds --save pictures", "Keep the pictures."),
    ],
    output: BirdsOptions.init
  ) {
    CommonOptions.server
    Option<FolderPath?>("save", short: "s", valueName: "dir", help: "Write each picture here.", completion: .directory)
    Option<Seconds>(
      "timeout", default: Seconds(10), valueName: "seconds", help: "How long each request may take, waiting included.")
    CommonOptions.json
    CommonOptions.quiet
    CommonOptions.color
  }
}

/// What `demo birds` was asked to do.
struct BirdsOptions: Sendable {
  var server: ServerAddress?
  var save: FolderPath?
  var timeout: Seconds
  var json: Bool
  var quiet: Bool
  var color: ColorChoice
}

/// The address of a web server, as typed.
struct ServerAddress: ExpressibleByArgument, Sendable, Equatable {
  let url: URL

  init(argument: String) throws(ValidationError) {
    guard let url = URL(string: argument), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.host?.isEmpty == false, (1...65_535).contains(url.port ?? 80)
    else {
      // A password is shown nowhere, not even one in an address that is none.
      let shown = argument.replacing(/\/\/[^\/]*@/, with: "//")
      throw ValidationError("'\(shown)' is not the address of a web server, such as http://127.0.0.1:8080.")
    }
    self.url = url
  }

  /// Whom a log-in or a journal is for: without a password, and the same however the address is written.
  var name: String {
    let scheme = url.scheme?.lowercased() ?? "http"
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    var name = "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)\(url.path)"
    while name.hasSuffix("/") { name.removeLast() }
    return name
  }

  var defaultValueDescription: String { url.absoluteString }
}

/// The path of a directory, as typed.
struct FolderPath: ExpressibleByArgument, Sendable, Equatable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("A directory has a name; '.' is the present one.") }
    path = argument
  }

  var defaultValueDescription: String { path }
}

/// A number of seconds, as typed.
struct Seconds: ExpressibleByArgument, Sendable, Equatable {
  let value: Double

  init(_ value: Double) {
    self.value = value
  }

  init(argument: String) throws(ValidationError) {
    guard let value = Double(argument), value.isFinite, value > 0, value <= 86_400 else {
      throw ValidationError("'\(argument)' is not a number of seconds above 0 and up to 86400.")
    }
    self.value = value
  }

  var duration: Duration { .seconds(value) }

  var defaultValueDescription: String { value.formatted() }
}
