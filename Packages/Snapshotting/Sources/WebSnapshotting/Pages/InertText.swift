/// Detects HTML without scripts, frames and policies.
///
/// Removing the elements of such a page leaves no trace.
///
/// The check has a list of allowed elements, and rejects attributes that may be event handlers. It may reject harmless text, but never
/// accepts harmful text.
enum InertText {
  /// The maximum length of a text in bytes.
  private static let limit = 1 << 20

  /// Elements that are harmless with any attributes.
  private static let elements: Set<String> = [
    "html", "head", "title", "header", "footer", "main", "nav", "section", "article", "aside", "address",
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "pre", "blockquote", "figure", "figcaption", "hr", "br",
    "wbr",
    "ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th",
    "td",
    "a", "b", "i", "u", "s", "em", "strong", "small", "mark", "sub", "sup", "code", "kbd", "samp", "var", "abbr",
    "cite",
    "q", "time", "dfn", "del", "ins", "bdi", "bdo", "button", "label", "img", "svg", "g", "path", "rect", "circle",
    "ellipse",
    "line", "polyline", "polygon", "text", "tspan", "defs", "stop", "lineargradient", "radialgradient",
  ]

  /// Elements that are harmless in these forms only.
  ///
  /// The document keeps the link colours of a body's attributes.
  private static let forms = [
    "<body>", "<style>", "<meta charset=\"utf-8\">", "<meta charset=utf-8>", "<meta charset='utf-8'>",
  ]
  .map { Array($0.utf8) }

  static func isInert(_ html: String) -> Bool {
    guard html.utf8.count <= limit else { return false }
    let text = html.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "<"):
        guard isHarmlessElement(text[index...]) else { return false }
      case UInt8(ascii: "o"):
        if mayBeHandler(text[index...]) { return false }
      case UInt8(ascii: "a"):
        // A document processes `autofocus` only once.
        if text[index...].starts(with: "autofocus".utf8) { return false }
      default: break
      }
    }
    return true
  }

  private static func isHarmlessElement(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.dropFirst().prefix { !" \t\n\u{C}\r/>".utf8.contains($0) }
    guard let first = name.first, isLetter(first) else { return true }
    return elements.contains(String(decoding: name, as: UTF8.self)) || forms.contains { text.starts(with: $0) }
  }

  private static func mayBeHandler(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: "on".utf8) else { return false }
    let rest = text.dropFirst(2).drop(while: isLetter).drop { " \t\n\u{C}\r".utf8.contains($0) }
    return rest.first == UInt8(ascii: "=")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
