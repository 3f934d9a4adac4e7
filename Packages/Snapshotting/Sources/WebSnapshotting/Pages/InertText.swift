/// Says of HTML whether it is sure to leave nothing behind once its elements are gone: it has no script, no frame and no policy.
///
/// A list of what does no harm, not of what does: elements, in the way that they begin, and no attribute that could be a
/// handler. Text that only looks like one of these counts as well, so the answer may be no where yes were right, but never
/// the other way around.
enum InertText {
  /// How long a text may be to be looked at.
  private static let limit = 1 << 20

  /// Elements that do nothing but show, whatever their attributes.
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

  /// Elements that do something in some of their forms, in the forms in which they do not.
  ///
  /// Attributes of a body are the document's: it keeps the colours of links that they give.
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
        // A document does that once, and knows it of the next one.
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

  /// Whether it is `on`, letters and an equals sign.
  private static func mayBeHandler(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.starts(with: "on".utf8) else { return false }
    let rest = text.dropFirst(2).drop(while: isLetter).drop { " \t\n\u{C}\r".utf8.contains($0) }
    return rest.first == UInt8(ascii: "=")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
