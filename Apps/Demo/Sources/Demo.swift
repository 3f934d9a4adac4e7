internal import Arguments
internal import Foundation
internal import Terminal

/// The entry point: parses the arguments, runs the command, and exits with its exit code.
@main
enum Demo {
  static func main() async {
    Interrupt.leaveCrashesToTheSystem()
    ParentMonitor.start()
    signal(SIGPIPE, SIG_IGN)
    // Reserve closed standard descriptors, so that no other file gets their number. Writing to them still fails.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
    switch CommandLineParser.read() {
    case .success(let command): exit(Interrupt.exitCode(for: await run(command)).rawValue)
    case .failure(let status): exit(status.rawValue)
    }
  }

  private static func run(_ command: DemoCommand) async -> ExitCode {
    switch command {
    case .tour(let command): await runCommand { try await command.run() }
    case .birds(let command): await runCommand { try await command.run() }
    case .order(let action): await OrderCommand(action).run()
    case .app(let command): await runCommand { try await command.run() }
    case .compare(let command): await runCommand { try command.run() }
    }
  }
}
