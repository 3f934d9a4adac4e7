import Foundation
import Terminal

/// The child process of the tests: opens a session, prints READY, and ends in the way that its argument selects.
@main
struct TerminalProbe {
  static func main() throws {
    let ending = CommandLine.arguments.dropFirst().first ?? "echo"
    let device = TerminalDevice.standardOutput
    try device.withSession { session in
      try device.write("READY\r\n")
      switch ending {
      case "return": return
      case "throw": throw Failure()
      case "exit": exit(3)
      case "trap": _ = [Int]().withUnsafeBufferPointer { Array($0)[CommandLine.arguments.count + 7] }
      case "abort": abort()
      default: try echo(session)
      }
    }
    try device.write("DONE\r\n")
  }

  /// Prints each event until `q` is pressed, and stops the process at `z`.
  private static func echo(_ session: TerminalSession) throws {
    while let event = try session.readEvent(), event != .input(.key(.character("q"))) {
      try session.device.write("<\(name(event))>")
      if event == .input(.key(.character("z"))) { session.suspend() }
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

  private struct Failure: Error {}
}
