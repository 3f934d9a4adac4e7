internal import Arguments
internal import Foundation
internal import Terminal

/// The command: reads its line, runs what it says, and ends with the exit status that its help promises.
@main
enum Demo {
  static func main() async {
    Interrupt.leaveCrashesToTheSystem()
    Leash.heed()
    signal(SIGPIPE, SIG_IGN)
    // What was closed before the start must not be what is opened next, and writing to it is an error still.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
    }
    switch CommandWords.read() {
    case .success(let command): exit(Interrupt.exitCode(for: await run(command)).rawValue)
    case .failure(let status): exit(status.rawValue)
    }
  }

  private static func run(_ command: DemoCommand) async -> ExitCode {
    switch command {
    case .tour(let options): await TourCommand(options).run()
    case .birds(let options): await BirdsCommand(options).run()
    case .order(let action): await OrderCommand(action).run()
    case .apps(let options): await AppsCommand(options).run()
    case .snapshot(.capture(let options)): await SnapshotCommand(options).run()
    case .snapshot(.compare(let options)): CompareCommand(options).run()
    case .exitCodes(let json): ExitCodesCommand(json: json).run()
    }
  }
}
