internal import Arguments
internal import Foundation
internal import Terminal

/// The words that the process was started with.
enum CommandWords {
  /// What they ask for; or, when there is nothing to run, the status to end with after what they asked for was told.
  static func read() -> Result<DemoCommand, ExitCode> {
    if let number = firstWithoutText {
      let message = "Argument \(number) is no UTF-8, so it would name something else. Give it in UTF-8."
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

  /// The number of the first word that is no text.
  ///
  /// What Swift makes of it names another file than the one that was meant.
  private static var firstWithoutText: Int? {
    (1..<max(1, Int(CommandLine.argc))).first { index in
      guard let word = CommandLine.unsafeArgv[index] else { return false }
      let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
      return !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }
  }
}
