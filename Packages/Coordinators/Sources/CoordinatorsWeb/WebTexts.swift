public import Coordinators

/// The language of the pages of a ``WebApp``, and the words that the shell adds to them.
///
/// ```swift
/// var texts = WebTexts()
/// texts.language = "nl"
/// texts.back = "Terug"
/// texts.tabTitles = ["words": "Woorden", "phrases": "Zinnen"]
/// let app = WebApp(texts: texts) { screen in Page(screen.title) }
/// ```
///
/// Browsers use the language to read pages aloud, to hyphenate words and to offer translations. It also decides the direction of the
/// pages.
public struct WebTexts: Hashable, Sendable {
  /// The language of the pages, as a BCP 47 tag such as `nl` or `pt-BR`: the `lang` of the document.
  public var language = "en"
  public var back = "Back"
  /// The link that dismisses a modal.
  public var close = "Close"
  /// The text on a page whose content is being fetched.
  public var loading = "Loading…"
  /// The link that shows the content that is being fetched, without scripts.
  public var reload = "Reload"
  public var refresh = "Refresh"
  /// The name of the tabs, for screen readers.
  public var tabs = "Tabs"
  /// The replacement for an empty title, so that it can be read and clicked.
  public var untitled = "Untitled"
  /// The titles of tabs; by default the key of the tab, capitalised.
  public var tabTitles: [TabKey: String] = [:]
  public var noSuchPage = "Page not found."
  /// The message for a method that an address does not allow; the allowed ones follow.
  public var wrongMethod = "Cannot use this address in this way. Allowed methods:"
  /// The message for a form of an earlier session; the page shows its input.
  public var expired = "Your session has expired."
  /// The sentence after ``expired`` when the form is shown with its input.
  public var sendAgain = "Check your input and send it again."
  /// The message for a form whose screen was closed, for example in another window; the page shows its input.
  public var closed = "This form was closed, and your input was not sent."
  /// The message before the app has shown a screen.
  public var noScreen = "Nothing to show yet. Reload the page."
  /// The link on an error page.
  public var returnToApp = "Back to the app"
  /// The words for problems of fields.
  public var page = PageTexts()

  public init() {}

  func title(_ text: String, in language: String? = nil) -> HTML.Phrase {
    text.allSatisfy(\.isWhitespace) ? HTML.Phrase(untitled) : HTML.Phrase(text, in: language)
  }

  func title(of tab: TabKey) -> String { tabTitles[tab] ?? tab.title }
}
