internal import Foundation

/// HTML markup, assembled from pieces; only this file can create tags.
///
/// Other text enters through `text` and the values of attributes, and is escaped there. Text from a server or a user is
/// therefore never parsed as markup.
struct HTML: Hashable, Sendable {
  private(set) var markup: String

  /// Attributes in their order, without those whose value is `nil`.
  struct Attributes: ExpressibleByDictionaryLiteral {
    fileprivate var markup = ""

    init(dictionaryLiteral attributes: (StaticString, String?)...) {
      for (name, value) in attributes {
        if let value { markup += " \(name)=\"\(escaped(value))\"" }
      }
    }

    static func + (left: Attributes, right: Attributes) -> Attributes {
      var all = left
      all.markup += right.markup
      return all
    }
  }

  /// A text of the app or of a user, and the attributes of its language and direction.
  ///
  /// Without a language, the browser takes the direction from the first letters of the text.
  struct Phrase {
    let text: HTML
    let attributes: Attributes

    init(_ text: String, in language: String? = nil) {
      self.text = .text(text)
      attributes = ["lang": language, "dir": language.map { isRightToLeft($0) ? "rtl" : "ltr" } ?? "auto"]
    }
  }

  /// Creates an element; the names of elements and attributes are literals of this module.
  init(_ name: StaticString, _ attributes: Attributes, _ content: [HTML]) {
    markup = "<\(name)\(attributes.markup)>\(content.map(\.markup).joined())</\(name)>"
  }

  init(_ name: StaticString, _ attributes: Attributes, _ content: HTML...) { self.init(name, attributes, content) }

  init(_ name: StaticString, _ content: [HTML]) { self.init(name, [:], content) }

  init(_ name: StaticString, _ content: HTML...) { self.init(name, [:], content) }

  private init(markup: String) { self.markup = markup }

  static func text(_ text: String) -> HTML { HTML(markup: escaped(text)) }

  /// An element without an end tag.
  static func void(_ name: StaticString, _ attributes: Attributes) -> HTML {
    HTML(markup: "<\(name)\(attributes.markup)>")
  }

  /// A style sheet; the rules cannot end the element.
  static func style(_ rules: String) -> HTML { HTML(markup: "<style>\(rules.replacing("</", with: "<\\/"))</style>") }

  static func document(language: String, head: [HTML], body: [HTML]) -> String {
    let attributes: Attributes = ["lang": language, "dir": isRightToLeft(language) ? "rtl" : "ltr"]
    return "<!doctype html>\n\(HTML("html", attributes, HTML("head", head), HTML("body", body)).markup)\n"
  }
}

private func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isRightToLeft(_ language: String) -> Bool {
  Locale.Language(identifier: language).characterDirection == .rightToLeft
}
