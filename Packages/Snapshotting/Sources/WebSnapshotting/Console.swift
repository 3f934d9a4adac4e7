/// Returns the line of a console message: its level, and its values.
func consoleLine(called parameters: JSONValue) -> String {
  let values = (parameters["args"]?.array ?? []).map(shown).joined(separator: " ")
  return consoleLine(parameters["type"]?.string ?? "log", values)
}

/// Returns the message of an error that a script threw, without its stack trace.
func thrownError(_ details: JSONValue?) -> String {
  details?["exception"].map { firstLine(of: shown($0)) } ?? details?["text"]?.string ?? "an error"
}

/// Returns the line of a message, and its other lines indented.
func consoleLine(_ level: String, _ text: String) -> String {
  // In Swift, a carriage return with a line feed is one character.
  "\(level): " + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n  ")
}

private func shown(_ value: JSONValue) -> String {
  if let text = value["value"]?.string ?? value["unserializableValue"]?.string { return text }
  if value["type"] == "undefined" { return "undefined" }
  if value["subtype"] == "error" { return firstLine(of: value["description"]?.string ?? "error") }
  if let members = value["preview"]?["properties"]?.array {
    let texts = members.map { "\($0["name"]?.string ?? "?"): \(firstLine(of: $0["value"]?.string ?? "…"))" }
    return "{\(texts.joined(separator: ", "))}"
  }
  return value["description"]?.string ?? value["value"]?.text ?? "?"
}

private func firstLine(of text: String) -> String { String(text.prefix { !$0.isNewline }) }
