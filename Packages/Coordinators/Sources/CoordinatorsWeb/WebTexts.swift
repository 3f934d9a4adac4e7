public import Coordinators

/// The language of a ``WebShell``'s pages, and the words on them that are not the app's own: a value that the app hands in.
///
/// ```swift
/// var texts = WebTexts()
/// texts.language = "nl"
/// texts.back = "Terug"
/// texts.tabTitles = ["words": "Woorden", "phrases": "Zinnen"]
/// let app = WebApp(contents: contents, work: work, token: token, texts: texts)
/// ```
///
/// Without any it is English. A browser reads pages aloud, divides words and offers to translate by the language, so set it
/// together with the words.
public struct WebTexts: Hashable, Sendable {
  /// The language of the pages, as a BCP 47 tag such as `nl` or `pt-BR`: the `lang` of the document.
  public var language = "en"
  /// The link to the screen below, in a stack.
  public var back = "Back"
  /// The link that takes a modal away.
  public var close = "Close"
  /// What is told while a page has more to come.
  public var loading = "Loading…"
  /// The button that fetches a page's content again.
  public var refresh = "Refresh"
  /// The name of the tabs, for those who listen to the page.
  public var tabs = "Tabs"
  /// What stands for a title in which there is nothing to read, so that there is something to follow.
  public var untitled = "Untitled"
  /// The titles of tabs; a tab that is not in it has its key, with a capital letter.
  public var tabTitles: [TabKey: String] = [:]
  /// Why a page cannot be had: its address is none.
  public var noSuchPage = "Page not found."
  /// Why a page cannot be had: a link was posted to, or a form was asked for.
  public var wrongMethod = "Method not allowed."
  /// Why a form was not taken: it does not have the token of this session's pages.
  public var foreignForm = "This form belongs to another session. Reload the page and send the form again."
  /// Why a page cannot be had: the app has not shown anything.
  public var nothingYet = "Nothing to show yet."
  /// The link out of a page that could not be had.
  public var whereYouWere = "Back to the app"

  /// Creates the words in English.
  public init() {}

  /// A title, or what stands for one that has nothing to read.
  func title(_ text: String, in language: String? = nil) -> HTML.Phrase {
    text.isReadable ? HTML.Phrase(text, in: language) : HTML.Phrase(untitled)
  }

  /// The title of a tab.
  func title(of tab: TabKey) -> String { tabTitles[tab] ?? tab.name.prefix(1).uppercased() + tab.name.dropFirst() }
}

extension String {
  /// Whether anything of it can be seen: blanks, and what only says how others are written, cannot.
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
