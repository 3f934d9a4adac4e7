public import Coordinators

/// The language of the pages of a ``WebShell``, and the words that the shell adds to them.
///
/// ```swift
/// var texts = WebTexts()
/// texts.language = "nl"
/// texts.back = "Terug"
/// texts.tabTitles = ["words": "Woorden", "phrases": "Zinnen"]
/// let app = WebApp(token: token, texts: texts) { screen in Page(screen.title) }
/// ```
///
/// Browsers use the language to read pages aloud, to hyphenate words and to offer translations, so set it together with
/// the words.
public struct WebTexts: Hashable, Sendable {
  /// The language of the pages, as a BCP 47 tag such as `nl` or `pt-BR`: the `lang` of the document.
  public var language = "en"
  public var back = "Back"
  /// The link that dismisses a modal.
  public var close = "Close"
  /// The text on a page whose content is being fetched.
  public var loading = "Loading…"
  public var refresh = "Refresh"
  /// The name of the tabs, for screen readers.
  public var tabs = "Tabs"
  /// The replacement for a title without visible characters, so that it can be read and clicked.
  public var untitled = "Untitled"
  /// The titles of tabs; by default the key of the tab, capitalised.
  public var tabTitles: [TabKey: String] = [:]
  public var noSuchPage = "Page not found."
  /// The message for a POST request to a link, or a GET request to a form.
  public var wrongMethod = "Method not allowed."
  /// The message for a form without the token of this session's pages.
  public var invalidToken = "This form belongs to another session. Reload the page and send the form again."
  /// The message before the app has shown a screen.
  public var noScreen = "Nothing to show yet. Reload the page."
  /// The link on an error page.
  public var returnToApp = "Back to the app"

  public init() {}

  func title(_ text: String, in language: String? = nil) -> HTML.Phrase {
    text.isReadable ? HTML.Phrase(text, in: language) : HTML.Phrase(untitled)
  }

  func title(of tab: TabKey) -> String { tabTitles[tab] ?? tab.name.prefix(1).uppercased() + tab.name.dropFirst() }
}

extension String {
  /// Whether it has a visible character: not only spaces, control characters and format characters.
  fileprivate var isReadable: Bool {
    unicodeScalars.contains { scalar in
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .format, .surrogate, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
        return false
      default: return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}"
      }
    }
  }
}
