internal import Arguments
internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import Loopback
internal import Terminal

/// The options of `demo dictionary`, `demo stories` and `demo open`.
struct AppOptions: Sendable {
  /// The port of the browser's server; `nil` without `--web`.
  let web: Int?
  let script: TerminalScript?
  let server: ServerAddress?

  static let declarations = OptionGroup(output: AppOptions.init) {
    Flag("web", help: "Serve the app to a browser until Ctrl-C.")
    Option<UInt16?>("port", valueName: "number", help: "Port for the browser; default: any free port. Only with --web.")
    Option<ScriptText?>(
      "script", valueName: "keys",
      help: "Press these keys without a terminal and print the last screen. Not with --web.")
    CommonOptions.server
  }

  @Sendable
  init(web: Bool, port: UInt16?, script: ScriptText?, server: ServerAddress?) throws(ValidationError) {
    guard !web || script == nil else { throw ValidationError("--web and --script cannot be used together.") }
    guard web || port == nil else { throw ValidationError("--port can only be used with --web.") }
    self.web = web ? Int(port ?? 0) : nil
    (self.script, self.server) = (script?.script, server)
  }
}

/// Runs one of the two apps of the talk *Boundaries in Practice* in one of its shells.
struct AppCommand: DemoCommand {
  let home: Home
  let link: DemoScreen?
  let options: AppOptions

  static func declaration(of home: Home) -> Command<any DemoCommand> {
    Command(
      home.rawValue,
      abstract: home == .dictionary
        ? "Learn Dutch words and phrases in a terminal or a browser."
        : "Read a feed of stories, their senders and messages in a terminal or a browser.",
      discussion: """
        This is an app from the talk 'Boundaries in Practice'. Log in with the account 'ayaka' and the password 'tulp', or \
        sign up.

        Keys: arrows move, Enter opens, Esc goes back, and ? shows all keys, or F1 in a field.
        """,
      examples: [
        CommandExample("demo \(home.rawValue)", "Start the app in the terminal."),
        CommandExample("demo \(home.rawValue) --web", "Serve the app to a browser."),
        CommandExample("demo \(home.rawValue) --script \"end enter\"", "Press these keys and print the screen."),
      ],
      output: { (options: AppOptions) in AppCommand(home: home, link: nil, options: options) }
    ) { AppOptions.declarations }
  }

  static let open = Command<any DemoCommand>(
    "open",
    abstract: "Start one of the two apps at a link.",
    discussion: """
      Links: boundaries://stories, stories/ID, messages/ID, users/NAME, words, words/NAME, words/search?q=TEXT, phrases, \
      phrases/NAME. A link that needs a log-in opens after the log-in.
      """,
    examples: [
      CommandExample("demo open boundaries://stories/104", "Open a public story."),
      CommandExample("demo open boundaries://stories/12345", "Open a story among friends, after the log-in."),
    ],
    output: { (link: LinkText, options: AppOptions) in
      AppCommand(home: link.screen.home, link: link.screen, options: options)
    }
  ) {
    Argument<LinkText>("link", help: "The link, such as boundaries://stories/12345.")
    AppOptions.declarations
  }

  @MainActor
  func run() async throws -> ExitCode {
    guard let server = options.server else {
      return try await HTTPServer.start(ContentServer().router).use { try await run(at: $0.url) }
    }
    return try await run(at: server.url)
  }

  @MainActor
  private func run(at server: URL) async throws -> ExitCode {
    let client = ContentClient(server: server, within: .seconds(10))
    if let port = options.web { return try await serve(.web(home, at: link, client: client), port) }
    let app = DemoApp(home, client: client)
    let terminal = app.terminal()
    app.start(in: terminal.navigator, at: link)
    let device = TerminalDevice.standardOutput
    let ending: TerminalEnding?
    if let script = options.script {
      ending = await terminal.run(script)
      let color = device.colorCapability()
      try device.write((color == .none ? terminal.screen.text : terminal.screen.styledText(color: color)) + "\n")
    } else if device.sessionError() == nil {
      ending = try await terminal.run(on: device)
    } else {
      throw DemoError(
        "Cannot show the app: it needs a terminal that can move its cursor.",
        next: "Use --web to open it in a browser, or --script KEYS to run it with scripted keys.")
    }
    try Task.checkCancellation()
    return ending == .interrupted ? .interrupted : .success
  }

  /// Serves the app until Ctrl-C.
  @MainActor
  private func serve(_ router: Router, _ port: Int) async throws -> ExitCode {
    try await HTTPServer.start(router, port: port).use { server in
      try Output().line("Open \(server.url.absoluteString)/ in a browser. Press Ctrl-C to stop.")
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
      return .interrupted
    }
  }
}

struct ScriptText: ExpressibleByArgument, Sendable {
  let script: TerminalScript

  init(argument: String) throws(ValidationError) {
    do throws(TerminalScriptError) { script = try TerminalScript(argument) } catch {
      throw ValidationError("\(error)")
    }
  }
}

struct LinkText: ExpressibleByArgument, Sendable {
  let screen: DemoScreen

  init(argument: String) throws(ValidationError) {
    do throws(LinkError) { screen = try DemoScreen.links.route(for: argument) } catch {
      throw ValidationError(escaped("\(error)"))
    }
  }
}
