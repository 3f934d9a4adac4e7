import Terminal
import TerminalTesting
import TestSupport

extension TerminalProcess {
  /// Starts the demo command.
  static func demo(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, terminal: String = "xterm-256color",
    locale: String? = nil
  ) throws -> TerminalProcess {
    let environment = ["TERM": terminal].merging(locale.map { ["LC_ALL": $0] } ?? [:]) { $1 }
    return try TerminalProcess(
      ChildProcess.path(besideTests: "demo"), arguments, columns: columns, rows: rows, environment: environment)
  }

  /// Starts an interactive shell, in which `$demo` is the path of the command.
  static func shell() throws -> TerminalProcess {
    let demo = try ChildProcess.path(besideTests: "demo")
    return try TerminalProcess("/bin/bash", ["--norc", "--noprofile", "-i"], environment: ["demo": demo])
  }

  /// Waits until the window meets a condition, or until the test's time limit.
  func expect(_ what: String, until isMet: @escaping @Sendable (ScreenReader) -> Bool) async throws {
    try await waiting(for: what) { try await wait(what, until: isMet) }
  }
}

extension ScreenReader {
  /// The highlighted text, without bold titles.
  var highlighted: String {
    // The bits are compared, because set operations on each cell take most of the time of these tests in debug builds.
    let (mask, inverse) = (Attributes([.inverse, .bold]).rawValue, Attributes.inverse.rawValue)
    let cells = rows.dropFirst().joined().filter { $0.style.attributes.rawValue & mask == inverse }
    return String(cells.compactMap(\.character))
  }

  /// The focus: the highlighted text, or the position of the caret.
  var focus: String { highlighted.isEmpty ? "the caret at \(cursor.row), \(cursor.column)" : highlighted }
}
