/// HTML markup, assembled from pieces; only this file can create tags.
///
/// Other text enters through `text` and the values of attributes, and is escaped there. Text from a server or a user is
/// therefore never parsed as markup.
struct HTML: Hashable, Sendable {
  private(set) var markup: String

  struct Attribute {
    let name: StaticString
    let value: String?

    static func `is`(_ name: StaticString, _ value: String?) -> Attribute { Attribute(name: name, value: value) }
  }

  struct Phrase {
    let text: HTML
    let language: [Attribute]

    init(_ text: String, in language: String? = nil) {
      self.text = .text(text)
      self.language = language.map { [.is("lang", $0)] } ?? []
    }
  }

  private init(markup: String) { self.markup = markup }

  static let empty = HTML(markup: "")

  static func text(_ text: String) -> HTML { HTML(markup: escaped(text)) }

  /// The names of elements and attributes are literals of this module.
  static func element(
    _ name: StaticString, _ attributes: [Attribute] = [], _ content: [HTML]
  ) -> HTML {
    HTML(markup: open(name, attributes) + content.map(\.markup).joined() + "</\(name)>")
  }

  static func void(_ name: StaticString, _ attributes: [Attribute] = []) -> HTML {
    HTML(markup: open(name, attributes))
  }

  static func document(language: String, head: [HTML], body: [HTML]) -> String {
    "<!doctype html>\n"
      + element("html", [.is("lang", language)], [element("head", [], head), element("body", [], body)]).markup
      + "\n"
  }

  static func style(_ rules: StaticString) -> HTML { HTML(markup: "<style>\(rules)</style>") }

  static func script(_ script: StaticString) -> HTML { HTML(markup: "<script>\(script)</script>") }

  private static func open(_ name: StaticString, _ attributes: [Attribute]) -> String {
    let written = attributes.map { attribute in
      " \(attribute.name)" + (attribute.value.map { "=\"\(escaped($0))\"" } ?? "")
    }
    return "<\(name)\(written.joined())>"
  }

  /// Removes forbidden characters, and characters that change the direction of text.
  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
      case _ where (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
