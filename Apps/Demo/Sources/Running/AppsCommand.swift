internal import Arguments
internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import Loopback
internal import Terminal

/// Runs one of the two apps of the talk *Boundaries in Practice*: starts the server, shows the app, and stops both.
@MainActor
struct AppsCommand {
  private let options: AppsOptions
  private let output: TerminalDevice
  private let errors: TerminalDevice

  init(_ options: AppsOptions, output: TerminalDevice = .standardOutput, errors: TerminalDevice = .standardError) {
    self.options = options
    self.output = output
    self.errors = errors
  }

  nonisolated static let exitCodeTable = ExitReason.table(.noTerminal, .cannotListen)

  func run() async -> ExitCode {
    let file = options.state.map { StateFile(path: $0.path, warn: warn) }
    do {
      let state = try file?.read(for: options.home, at: options.server?.name)
      guard let address = options.server else {
        let accounts = Accounts(sessions: [state?.session].compactMap { $0 })
        let router = ContentServer.router(try Library.bundled(), accounts: accounts)
        let interrupts = watch()
        let server = try await HTTPServer.start(router)
        let status = await run(with: server.url, file, state, interrupts)
        await server.stop(grace: .zero)
        return status
      }
      return await run(with: address.url, file, state, watch())
    } catch let error where error is StateFile.InUse || error is StateFile.Unstable {
      warn("Error: \(error)")
      return ExitReason.cannotSave.exitCode
    } catch let error as LoopbackError {
      warn("Error: \(error)")
      return ExitReason.cannotListen.exitCode
    } catch {
      warn("Error: \(error)")
      return ExitReason.other.exitCode
    }
  }

  /// Handles Ctrl-C for a script.
  ///
  /// A terminal reads it as a key, and `serve` handles it for a browser.
  private func watch() -> InterruptHandler? {
    guard case .script = options.shell else { return nil }
    return InterruptHandler()
  }

  private func run(with server: URL, _ file: StateFile?, _ state: DemoState?, _ interrupts: InterruptHandler?) async
    -> ExitCode
  {
    let client = ContentClient(server: server, within: options.timeout.duration)
    defer { client.close() }
    do {
      let ending: TerminalEnding?
      switch options.shell {
      case .terminal, .script:
        let app = DemoTerminal(options, client: client, file: file, state: state, warn: warn)
        if case .script(let script) = options.shell, let interrupts {
          ending = try await app.run(script, until: interrupts)
          try output.write(app.text(color: options.color.capability(of: output)) + "\n")
        } else {
          guard !output.isInteractive || Self.canMoveCursor(ProcessInfo.processInfo.environment) else {
            warn(
              "Error: Cannot show the app: according to TERM, this terminal cannot move its cursor. Set TERM to the type of the terminal. \(Self.alternatives)"
            )
            return ExitReason.noTerminal.exitCode
          }
          ending = try await app.run(on: output, color: options.color.capability(of: output))
        }
      case .web(let port):
        try await serve(DemoWeb(options.home, at: options.route, client: client), port)
        ending = .interrupted
      }
      if ending == .interrupted { return ExitReason.interrupted.exitCode }
      // The error was reported when the write failed.
      return file?.isBehind == true ? ExitReason.cannotSave.exitCode : .success
    } catch let error as Interrupted {
      warn("Error: \(error)")
      return ExitReason.interrupted.exitCode
    } catch let error as TerminalError where error.kind == .closed {
      // The reader closed the pipe: not an error.
      return .success
    } catch let error as TerminalError where error.kind == .notATerminal {
      let stream = output.isTerminal ? "input" : "output"
      warn("Error: Cannot show the app: standard \(stream) is not a terminal. \(Self.alternatives)")
      return ExitReason.noTerminal.exitCode
    } catch let error where error is TerminalError || error is LoopbackError {
      warn("Error: \(error)")
      return (error is LoopbackError ? ExitReason.cannotListen : .cannotSave).exitCode
    } catch {
      warn("Error: \(error)")
      return ExitReason.other.exitCode
    }
  }

  /// The shells that need no terminal.
  private static let alternatives = "Use --web to open it in a browser, or --script KEYS to run it with scripted keys."

  /// Whether the terminal named by `TERM` supports cursor movement.
  nonisolated static func canMoveCursor(_ environment: [String: String]) -> Bool {
    !["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
  }

  /// Serves the app until Ctrl-C.
  private func serve(_ web: DemoWeb, _ port: Int) async throws {
    let (interrupts, interrupted) = AsyncStream<Void>.makeStream()
    let interrupt = Interrupt { interrupted.yield() }
    defer { withExtendedLifetime(interrupt) {} }
    let server = try await HTTPServer.start(web.router, port: port)
    try output.write("Open \(server.url.absoluteString)/ in a browser. Press Ctrl-C to stop.\n")
    for await _ in interrupts { break }
    await server.stop(grace: .zero)
  }

  private func warn(_ text: String) {
    // Names from files and servers may contain escape sequences: `truncated` removes them.
    try? errors.write("\(text)".truncated(toColumns: .max) + "\n")
  }
}
