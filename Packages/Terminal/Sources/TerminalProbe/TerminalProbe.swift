import Terminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The child process of the tests: opens a session, prints READY, and ends in the way that its argument selects.
@main
struct TerminalProbe {
  static func main() throws {
    let ending = CommandLine.arguments.dropFirst().first ?? "echo"
    if ending == "shell" { return try JobShell().run("job") }
    if ending == "background shell" { return try JobShell().run("background") }
    if ending == "background" { blockStops() }
    if ending == "job" { JobShell.takeForeground() }
    let device = TerminalDevice.standardOutput
    try device.withSession { session in
      try device.write("READY\r\n")
      switch ending {
      case "return": return
      case "throw": throw Failure()
      case "exit": exit(3)
      case "trap": _ = [Int]().withUnsafeBufferPointer { Array($0)[CommandLine.arguments.count + 7] }
      case "abort": abort()
      case "overflow": print(descend(CommandLine.arguments.count))
      default: try echo(session)
      }
    }
    try device.write("DONE\r\n")
  }

  /// Blocks SIGTTOU, as the threads of a thread pool do.
  private static func blockStops() {
    var stops = sigset_t()
    sigemptyset(&stops)
    sigaddset(&stops, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stops, nil)
  }

  /// Prints each event until `q` is pressed.
  private static func echo(_ session: TerminalSession) throws {
    while let event = try session.readEvent(), event != .input(.key(.character("q"))) {
      try session.device.write("<\(name(event))>")
    }
  }

  private static func name(_ event: TerminalEvent) -> String {
    switch event {
    case .input(.key(let press)): "key \(press.key) \(press.modifiers.rawValue)"
    case .input(.paste(let text)): "paste \(text)"
    case .input(.unrecognized(let bytes)): "unrecognized \(bytes)"
    case .resized(let size): "resized \(size.columns)×\(size.rows)"
    case .resumed: "resumed"
    case .endOfInput: "end"
    }
  }

  private static func descend(_ depth: Int) -> Int {
    depth < 0 ? 0 : withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { descend(depth + $0.count) + 1 }
  }

  private struct Failure: Error {}
}
