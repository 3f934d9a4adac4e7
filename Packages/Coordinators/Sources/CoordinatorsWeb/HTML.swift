/// HTML that is put together from pieces, of which none but the pieces of this file can hold a tag.
///
/// Text gets in by `text` and as the values of attributes, and is escaped there; so nothing that came from a server or a
/// person is ever read as markup.
struct HTML: Hashable, Sendable {
  private(set) var markup: String

  /// A name and a value; by itself when it has none.
  struct Attribute {
    let name: StaticString
    let value: String?

    static func `is`(_ name: StaticString, _ value: String?) -> Attribute { Attribute(name: name, value: value) }
  }

  /// Text, and the attribute that says its language where it is another than the document's.
  struct Phrase {
    let text: HTML
    let language: [Attribute]

    init(_ text: String, in language: String? = nil) {
      self.text = .text(text)
      self.language = language.map { [.is("lang", $0)] } ?? []
    }
  }

  private init(markup: String) { self.markup = markup }

  /// Nothing.
  static let empty = HTML(markup: "")

  /// Text, escaped.
  static func text(_ text: String) -> HTML { HTML(markup: escaped(text)) }

  /// An element with attributes and content; an attribute without a value stands by itself.
  ///
  /// Names of elements and attributes are written in this module, never taken from elsewhere.
  static func element(
    _ name: StaticString, _ attributes: [Attribute] = [], _ content: [HTML]
  ) -> HTML {
    HTML(markup: open(name, attributes) + content.map(\.markup).joined() + "</\(name)>")
  }

  /// An element that has no content, such as `input`.
  static func void(_ name: StaticString, _ attributes: [Attribute] = []) -> HTML {
    HTML(markup: open(name, attributes))
  }

  /// A whole page.
  static func document(language: String, head: [HTML], body: [HTML]) -> String {
    "<!doctype html>\n"
      + element("html", [.is("lang", language)], [element("head", [], head), element("body", [], body)]).markup
      + "\n"
  }

  /// Styles, which are written in this module.
  static func style(_ rules: StaticString) -> HTML { HTML(markup: "<style>\(rules)</style>") }

  /// A script, which is written in this module.
  static func script(_ script: StaticString) -> HTML { HTML(markup: "<script>\(script)</script>") }

  private static func open(_ name: StaticString, _ attributes: [Attribute]) -> String {
    let written = attributes.map { attribute in
      " \(attribute.name)" + (attribute.value.map { "=\"\(escaped($0))\"" } ?? "")
    }
    return "<\(name)\(written.joined())>"
  }

  /// The text with what could begin or end markup, or an attribute in either kind of quotes, written as references, and
  /// left out what HTML forbids and what would turn around the text after it.
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
