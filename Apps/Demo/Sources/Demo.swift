internal import Arguments
internal import Foundation
internal import Terminal

protocol DemoCommand: Sendable {
  func run() async throws -> ExitCode
}

/// The entry point: parses the arguments, runs the command, and exits with its exit code.
@main
enum Demo {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    // Swift's handler prints a stack trace and continues.
    signal(SIGQUIT, SIG_DFL)
    let command = command.parseOrExit(width: TerminalDevice.standardOutput.size().columns)
    exit(await runCommand(command.run).rawValue)
  }

  static let command = Command<any DemoCommand>(
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
    order
    AppCommand.declaration(of: .dictionary)
    AppCommand.declaration(of: .stories)
    AppCommand.open
    CompareCommand.declaration
  }

  private static let order = Command<any DemoCommand>(
    "order", abstract: "Take orders over an unreliable network, each at most once.",
    discussion: "Exit codes: 0 success, 1 failure, 3 the outcome of an order is unknown, 64 usage, 130 interrupted.",
    examples: [
      CommandExample("demo order take", "Take an order from the embedded server."),
      CommandExample("demo order serve", "Run a server. It prints its address."),
    ]
  ) {
    TakeCommand.declaration
    ListCommand.declaration
    FinishCommand.resume
    StatusCommand.declaration
    FinishCommand.reconcile
    DiscardCommand.declaration
    WorkCommand.declaration
    ServeCommand.declaration
    SimulateCommand.declaration
  }
}
