internal import Arguments
internal import Foundation
internal import Terminal

enum CommandLineParser {
  /// Parses the command line.
  ///
  /// Prints help and errors, and then returns the exit code.
  static func read() -> Result<DemoCommand, ExitCode> {
    if let number = firstWithoutText {
      let message = "Cannot read argument \(number): it is not valid UTF-8."
      try? TerminalDevice.standardError.write("Error: \(message)\n")
      return .failure(ExitReason.usage.exitCode)
    }
    return DemoCommand.command.parse(Array(CommandLine.arguments.dropFirst())).map(\.output).mapError(tell)
  }

  private static func tell(_ interruption: Interruption) -> ExitCode {
    let text = interruption.text(width: TerminalDevice.standardOutput.size().columns)
    guard !interruption.isError else {
      try? TerminalDevice.standardError.write(text)
      return interruption.exitCode
    }
    do throws(TerminalError) {
      try TerminalDevice.standardOutput.write(text)
      return interruption.exitCode
    } catch {
      let reason = ExitReason(error)
      if reason != .success { try? TerminalDevice.standardError.write("Error: \(error)\n") }
      return reason.exitCode
    }
  }

  /// The index of the first argument that is not valid UTF-8.
  ///
  /// Swift repairs such an argument, so it would name another file.
  private static var firstWithoutText: Int? {
    (1..<max(1, Int(CommandLine.argc))).first { index in
      guard let word = CommandLine.unsafeArgv[index] else { return false }
      let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
      return !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }
  }
}
