/// Returns the message of an error that a script threw, without its stack trace and its full stop.
func thrownError(_ details: JSONValue?) -> String {
  let text = details?["exception"].map(shown) ?? details?["text"]?.string ?? "an error"
  return text.hasSuffix(".") ? String(text.dropLast()) : text
}

/// Returns a value as a line of the console.
func shown(_ value: JSONValue) -> String {
  let text = value["value"]?.string ?? value["description"]?.string ?? value["value"]?.text ?? value["type"]?.string
  return String((text ?? "?").prefix { value["subtype"] != "error" || !$0.isNewline })
}
