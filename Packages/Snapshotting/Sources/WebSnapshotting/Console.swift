struct ConsoleMessage: Sendable, Hashable, CustomStringConvertible {
  /// `log`, `warning`, `error` and so on; `uncaught` for an uncaught error.
  let level: String
  let text: String

  init(called parameters: JSONValue) {
    level = parameters["type"]?.string ?? "log"
    text = (parameters["args"]?.array ?? []).map { Self.show($0) }.joined(separator: " ")
  }

  init(thrown parameters: JSONValue) {
    level = "uncaught"
    let details = parameters["exceptionDetails"]
    // An error object may have several lines.
    text = details?["exception"].map { firstLine(of: Self.show($0)) } ?? details?["text"]?.string ?? "an error"
  }

  var description: String {
    // In Swift, a carriage return with a line feed is one character.
    "\(level): "
      + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n  ")
  }

  private static func show(_ value: JSONValue) -> String {
    if let text = value["value"]?.string ?? value["unserializableValue"]?.string { return text }
    if value["type"] == "undefined" { return "undefined" }
    if value["subtype"] == "error" { return firstLine(of: value["description"]?.string ?? "error") }
    if let members = value["preview"]?["properties"]?.array {
      let shown = members.map { "\($0["name"]?.string ?? "?"): \(firstLine(of: $0["value"]?.string ?? "…"))" }
      return "{\(shown.joined(separator: ", "))}"
    }
    return value["description"]?.string ?? value["value"]?.text ?? "?"
  }
}

/// Returns the first line of an error; the others are its stack trace.
private func firstLine(of text: String) -> String { String(text.prefix { !$0.isNewline }) }
