internal import Arguments
internal import Terminal

/// `demo exit-codes`: prints the table as text or JSON.
struct ExitCodesCommand {
  let json: Bool

  func run() -> ExitCode {
    struct Line: Encodable { let code: Int32, name: String, meaning: String }
    let lines = ExitReason.allCases.map { reason in
      json ? jsonLine(Line(code: reason.rawValue, name: "\(reason)", meaning: reason.summary)) : reason.line
    }
    do throws(TerminalError) {
      try TerminalDevice.standardOutput.write(lines.map { $0 + "\n" }.joined())
      return .success
    } catch {
      let reason = ExitReason(error)
      if reason != .success { try? TerminalDevice.standardError.write("Error: \(error)\n") }
      return reason.exitCode
    }
  }
}
