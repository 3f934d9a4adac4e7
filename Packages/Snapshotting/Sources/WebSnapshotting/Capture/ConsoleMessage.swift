struct ConsoleMessage: Sendable, Hashable, CustomStringConvertible {
  /// `log`, `warning`, `error` and so on; `uncaught` for an uncaught error.
  let level: String
  let text: String

  init(level: String, text: String) {
    self.level = level
    self.text = text
  }

  init(called parameters: JSONValue) {
    level = parameters["type"]?.string ?? "log"
    text = Self.format(parameters["args"]?.array ?? [])
  }

  init(thrown parameters: JSONValue) {
    level = "uncaught"
    let details = parameters["exceptionDetails"]
    if let exception = details?["exception"] {
      // An error object may have several lines.
      text = Self.firstLine(of: Self.show(exception))
    } else {
      text = details?["text"]?.string ?? "an error"
    }
  }

  var description: String {
    // In Swift, a carriage return with a line feed is one character.
    "\(level): "
      + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n  ")
  }

  /// Joins values as a console does: `%s` and similar placeholders in the first value stand for the following values.
  static func format(_ values: [JSONValue]) -> String {
    guard let pattern = values.first?["value"]?.string, values.count > 1 else {
      return values.map { show($0) }.joined(separator: " ")
    }
    var rest = values.dropFirst()
    var text = ""
    var characters = pattern[...]
    while let character = characters.popFirst() {
      guard character == "%", let kind = characters.first else {
        text.append(character)
        continue
      }
      if kind == "%" {
        characters.removeFirst()
        text.append("%")
      } else if "sdifoOc".contains(kind), let value = rest.popFirst() {
        characters.removeFirst()
        if kind != "c" { text += show(value) }
      } else {
        text.append(character)
      }
    }
    return ([text] + rest.map { show($0) }).joined(separator: " ")
  }

  static func show(_ value: JSONValue) -> String {
    if let text = value["value"]?.string { return text }
    if let number = value["unserializableValue"]?.string { return number }
    if value["type"]?.string == "undefined" { return "undefined" }
    if let preview = value["preview"], value["subtype"]?.string != "error" { return show(preview: preview) }
    if let description = value["description"]?.string {
      return value["subtype"]?.string == "error" ? firstLine(of: description) : description
    }
    return value["value"].map { String(decoding: $0.data, as: UTF8.self) } ?? "?"
  }

  /// The other lines are its stack trace.
  private static func firstLine(of text: String) -> String { String(text.prefix { !$0.isNewline }) }

  private static func show(preview: JSONValue) -> String {
    let properties = preview["properties"]?.array ?? []
    let isArray = preview["subtype"]?.string == "array"
    let shown = properties.map { property -> String in
      let isText = property["type"]?.string == "string"
      let said = property["value"]?.string ?? property["type"]?.string ?? "?"
      let value = property["subtype"]?.string == "error" ? firstLine(of: said) : said
      let text = isText ? "\"\(value)\"" : value
      return isArray ? text : "\(property["name"]?.string ?? "?"): \(text)"
    }
    let all = (shown + (preview["overflow"]?.bool == true ? ["…"] : [])).joined(separator: ", ")
    return isArray ? "[\(all)]" : "{\(all)}"
  }
}
