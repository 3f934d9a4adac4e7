internal import Arguments
internal import Foundation
internal import Terminal

/// The entry point: parses the arguments, runs the command, and exits with its exit code.
@main
enum Demo {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Swift's handler prints a stack trace and continues.
    signal(SIGQUIT, SIG_DFL)
    let command = DemoCommand.command.parseOrExit(width: TerminalDevice.standardOutput.size().columns).output
    let code = await runCommand {
      switch command {
      case .tour(let command): try await command.run()
      case .birds(let command): try await command.run()
      case .order(let action): try await action.run()
      case .app(let command): try await command.run()
      case .compare(let command): try command.run()
      }
    }
    exit(code.rawValue)
  }
}
