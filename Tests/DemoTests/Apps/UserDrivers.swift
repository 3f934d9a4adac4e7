import Foundation
import TerminalTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Drives a demo app through one of its shells, with the same actions for every shell.
protocol UserDriver {
  /// Follows the row or presses the button with a title.
  func choose(_ title: String) async throws
  /// Goes back one screen.
  func goBack() async throws
  /// Selects a tab.
  func select(tab: String) async throws
  /// Fills in the form's fields by their labels and submits it.
  func fillIn(_ values: [(label: String, text: String)], send: String) async throws
  /// Checks the title of the visible screen, in a terminal after waiting for it.
  func expectTitle(_ title: String) async throws
  /// Returns whether a text is visible.
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
      return highlighted.hasPrefix(title) || highlighted.hasPrefix("[ \(title) ]")
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
      screen.lines.prefix(3).contains { $0.hasSuffix(" \(title)") || $0.contains("‹ \(title) ─") }
    }
  }

  func shows(_ text: String) throws -> Bool {
    window.reader.lines.joined(separator: "\n").contains(text)
  }

  /// Waits for content in the window.
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
    canGoBack = title.first == "‹"
    self.title = canGoBack ? Array(title.dropFirst()) : title
    words = lines.dropFirst().flatMap(Self.words)
    self.tabs = tabs
  }

  /// The words of a line, without the brackets of buttons, the dots of passwords and the scroll bar.
  private static func words(_ line: String) -> [String] {
    line.split { $0.isWhitespace }.map(String.init).filter {
      !["[", "]", "│", "█"].contains($0) && !$0.allSatisfy { $0 == "•" }
    }
  }
}

/// Drives an app with a plain HTTP client, which follows links and posts forms but runs no scripts.
final class HTTPUserDriver: UserDriver {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let session = URLSession(configuration: .ephemeral)
  private let server: URL
  private var history: [URL] = []
  private var html = ""

  init(_ server: URL) { self.server = server }

  func choose(_ title: String) async throws {
    if let link = links.first(where: { $0.text == title }) { return try await get(link.address) }
    guard let form = forms.first(where: { $0.button == title }) else {
      throw Failure(description: "no '\(title)': \(html)")
    }
    try await post(form, [:])
  }

  /// Requests the previous page of the history.
  func goBack() async throws {
    guard history.count > 1 else { return }
    history.removeLast()
    try await load(URLRequest(url: history.removeLast()))
  }

  func select(tab: String) async throws { try await choose(tab) }

  func fillIn(_ values: [(label: String, text: String)], send: String) async throws {
    guard let form = forms.first(where: { $0.button == send }) else {
      throw Failure(description: "no '\(send)': \(html)")
    }
    var filled: [String: String] = [:]
    for (label, text) in values {
      guard let name = form.labels[label] else { throw Failure(description: "no field '\(label)': \(html)") }
      filled[name] = text
    }
    try await post(form, filled)
  }

  func expectTitle(_ title: String) async throws {
    if html.isEmpty { try await load(URLRequest(url: server)) }
    guard heading == title else { throw Failure(description: "\(heading), not \(title)") }
  }

  func shows(_ text: String) async throws -> Bool { Self.text(html).contains(text) }

  /// Submits a form without its token, as a forged request from another site does.
  func postWithoutToken(_ button: String) async throws -> Int {
    guard var form = forms.first(where: { $0.button == button }) else { throw Failure(description: "no '\(button)'") }
    form.values["token"] = nil
    let before = (html, history)
    defer { (html, history) = before }
    return try await post(form, [:])
  }
}

extension HTTPUserDriver {
  private struct Form {
    var address: String
    var button: String
    var values: [String: String]
    var labels: [String: String]
  }

  private var heading: String {
    html.firstMatch(of: #/<h1[^>]*>(.*?)</h1>/#).map { Self.text(String($0.1)) } ?? ""
  }

  private var links: [(address: String, text: String)] {
    html.matches(of: #/<a href="([^"]*)"[^>]*>(.*?)</a>/#).map { (String($0.1), Self.text(String($0.2))) }
  }

  private var forms: [Form] {
    html.matches(of: #/<form method="post" action="([^"]*)">(.*?)</form>/#).map { match in
      let inside = String(match.2)
      var form = Form(address: String(match.1), button: "", values: [:], labels: [:])
      form.button = inside.firstMatch(of: #/<button>(.*?)</button>/#).map { Self.text(String($0.1)) } ?? ""
      for input in inside.matches(of: #/name="([^"]*)"(?: type="[^"]*")? value="([^"]*)"/#) {
        form.values[Self.text(String(input.1))] = Self.text(String(input.2))
      }
      for label in inside.matches(of: #/<label for="[^"]*">(.*?)</label> <input id="[^"]*" name="([^"]*)"/#) {
        form.labels[Self.text(String(label.1))] = Self.text(String(label.2))
      }
      return form
    }
  }

  private func get(_ address: String) async throws {
    guard let url = URL(string: address, relativeTo: server) else { throw Failure(description: address) }
    try await load(URLRequest(url: url.absoluteURL))
  }

  @discardableResult
  private func post(_ form: Form, _ filled: [String: String]) async throws -> Int {
    guard let url = URL(string: form.address, relativeTo: server) else { throw Failure(description: form.address) }
    var request = URLRequest(url: url.absoluteURL)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    let values = form.values.merging(filled) { $1 }
    request.httpBody = Data(values.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&").utf8)
    return try await load(request)
  }

  @discardableResult
  private func load(_ request: URLRequest) async throws -> Int {
    let (data, response) = try await session.data(for: request)
    html = String(decoding: data, as: UTF8.self)
    if let url = response.url { history.append(url) }
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// The text of some markup, without tags and character references.
  private static func text(_ html: String) -> String {
    html.replacing(#/<[^>]*>/#, with: "").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}
