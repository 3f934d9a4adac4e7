import Foundation
import Terminal
import TerminalTesting
import TestSupport
import Testing

/// Drives a demo app through one of its shells, with the same actions for every shell.
protocol UserDriver {
  /// Follows the row or presses the button with a title.
  func choose(_ title: String) async throws
  func goBack() async throws
  func select(tab: String) async throws
  /// Fills in the form's fields by their labels and submits it.
  func fillIn(_ values: [(label: String, text: String)], send: String) async throws
  /// Checks the title of the visible screen, in a terminal after waiting for it.
  func expectTitle(_ title: String) async throws
  func shows(_ text: String) async throws -> Bool
}

/// The visible words, without the decorations of the shell.
struct VisibleContent: Equatable, Sendable {
  var title: [String]
  var words: [String]
  var tabs: [String]
  var canGoBack: Bool
}

/// Drives an app in a terminal with key presses.
final class TerminalUserDriver: UserDriver {
  let window: TerminalProcess

  init(_ window: TerminalProcess) { self.window = window }

  func choose(_ title: String) async throws {
    let wanted = { @Sendable (screen: ScreenReader) in
      let highlighted = screen.highlighted
      return highlighted.hasPrefix("› \(title)") || highlighted.hasPrefix("[ \(title) ]")
    }
    while !wanted(window.reader) {
      let before = window.reader.focus
      window.type("\u{1B}[B")
      try await window.expect("'\(title)', after \(before)") { $0.focus != before }
    }
    window.type("\r")
  }

  func goBack() { window.type("\u{1B}") }

  func select(tab: String) async throws {
    try await window.expect("the tab \(tab)") { screen in screen.lines.contains { $0.contains(" \(tab)") } }
    let numbers = window.reader.lines.compactMap { line in line.firstMatch(of: #/(\d) (\w+)/#).map { _ in line } }
    let number = numbers.lazy.flatMap { $0.matches(of: #/(\d) (\w+)/#) }.first { $0.2 == tab }
    guard let number else { throw TerminalProcess.Failure(description: "no tab \(tab)") }
    window.type(String(number.1))
  }

  func fillIn(_ values: [(label: String, text: String)], send: String) async throws {
    window.type("\u{1B}[H")
    for (label, text) in values {
      try await window.expect("the field \(label)") { screen in screen.lines.contains { $0.contains(label) } }
      window.type("\u{1B}[F" + String(repeating: "\u{7F}", count: 20) + text + "\t")
    }
    try await window.expect("the button \(send)") { $0.highlighted.hasPrefix("[ \(send) ]") }
    window.type("\r")
  }

  func expectTitle(_ title: String) async throws {
    try await window.expect("the title \(title)") { screen in
      screen.lines.prefix(3).contains { line in
        line.hasSuffix(" \(title)") || ["‹", "×"].contains { line.contains("\($0) \(title) ─") }
      }
    }
  }

  func shows(_ text: String) throws -> Bool {
    window.reader.lines.joined(separator: "\n").contains(text)
  }

  func expect(_ content: VisibleContent) async throws {
    try await window.expect("\(content)") { VisibleContent($0) == content }
  }
}

extension VisibleContent {
  /// Reads the front box of a window, or the whole window without its line of key hints.
  init(_ screen: ScreenReader) {
    var lines = screen.lines
    var tabs: [String] = []
    if let top = lines.firstIndex(where: { $0.contains("┌") }) {
      lines = lines[top...].prefix { $0.contains("┌") || $0.contains("│") }.map { line in
        let isEdge: (Character) -> Bool = { "┌│┐".contains($0) }
        guard let start = line.firstIndex(where: isEdge), let end = line.lastIndex(where: isEdge) else { return "" }
        return line[start..<end].filter { !isEdge($0) && $0 != "─" }
      }
    } else {
      lines.removeLast(min(1, lines.count))
      let last = lines.popLast() ?? ""
      let numbered = last.matches(of: #/(\d) (\w+)/#)
      if numbered.isEmpty { lines.append(last) } else { tabs = numbered.map { String($0.2) } }
    }
    let title = Self.words(lines.first ?? "")
    canGoBack = ["‹", "×"].contains(title.first)
    self.title = canGoBack ? Array(title.dropFirst()) : title
    words = lines.dropFirst().flatMap(Self.words)
    self.tabs = tabs
  }

  /// The words of a line, without the marks of rows, buttons and required fields, the dots of passwords and the scroll bar.
  private static func words(_ line: String) -> [String] {
    line.split { $0.isWhitespace }.map(String.init).filter {
      !["[", "]", "›", "*", "│", "█"].contains($0) && !$0.allSatisfy { $0 == "•" }
    }
  }
}

extension TerminalProcess {
  static func demo(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, terminal: String = "xterm-256color",
    locale: String? = nil
  ) throws -> TerminalProcess {
    let environment = ["TERM": terminal].merging(locale.map { ["LC_ALL": $0] } ?? [:]) { $1 }
    return try TerminalProcess(
      ChildProcess.path(besideTests: "demo"), arguments, columns: columns, rows: rows, environment: environment)
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

enum WebShellProcess {
  /// Starts the command with `--web`, runs `body` with its URL, and ends the command with `SIGINT`.
  static func use<Value>(_ arguments: [String], _ body: (URL) async throws -> Value) async throws -> Value {
    let demo = try DemoProcess.start(arguments + ["--web"])
    let line = try #require(await demo.nextLine())
    let url = try #require(line.split(separator: " ").dropFirst().first.flatMap { URL(string: String($0)) })
    let value: Value
    do { value = try await body(url) } catch {
      demo.interrupt()
      _ = await demo.outcome()
      throw error
    }
    demo.interrupt()
    #expect(await demo.outcome().status == 130)
    return value
  }
}
