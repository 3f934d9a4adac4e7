public import Coordinators
public import Terminal

/// The styles of a ``TerminalApp``.
///
/// ```swift
/// var theme = TerminalTheme()
/// theme.title = Style(foreground: .rgb(200, 80, 0), attributes: [.bold, .inverse])
/// let app = TerminalApp(start: WordsCoordinator.init, theme: theme, page: page)
/// ```
///
/// The selection is shown by the cursor too, and headings and alerts by their text, so colours are never the only difference.
public struct TerminalTheme: Hashable, Sendable {
  /// The title of the visible page.
  public var title = Style(foreground: .blue, attributes: [.bold, .inverse])
  /// The row or the button with the focus.
  public var selection = Style.inverse
  public var heading = Style.bold
  /// Notes, labels, details and hints.
  public var secondary = Style.dim
  public var alert = Style(foreground: .red, attributes: .bold)
  /// The text in a field.
  public var field = Style(attributes: .underline)
  /// The mark of a row that opens a screen.
  public var mark = Style(foreground: .blue)
  public var selectedTab = Style(foreground: .blue, attributes: [.bold, .underline])

  public init() {}
}

/// The words that a ``TerminalApp`` adds to the pages: key hints, the help and the titles of tabs, in English by default.
///
/// ```swift
/// var texts = TerminalTexts()
/// texts.back = "terug"
/// texts.tabTitles = ["words": "Woorden", "phrases": "Zinnen"]
/// ```
public struct TerminalTexts: Hashable, Sendable {
  /// The hint for the arrow keys.
  public var move = "move"
  /// The hint for Enter on a row.
  public var open = "open"
  /// The hint for Enter on a button.
  public var press = "press"
  /// The hint for Enter in a field before the last one.
  public var next = "next"
  /// The hint for Enter in the last field, and on the button that sends a form.
  public var send = "send"
  /// The hint for Enter in a field of several lines.
  public var newLine = "new line"
  /// The hint for the keys that select an option.
  public var choose = "choose"
  /// The hint for the key that checks a checkbox.
  public var toggle = "check"
  public var nextField = "next field"
  public var nextTab = "next tab"
  /// The hint for the numbers that select a tab.
  public var tab = "tab"
  public var back = "back"
  public var refresh = "refresh"
  public var help = "help"
  public var quit = "quit"
  public var pageDown = "next page"
  public var first = "beginning"
  public var last = "end"
  public var repaint = "draw the screen again"
  public var lineStart = "start of the line"
  public var lineEnd = "end of the line"
  public var wordLeft = "previous word"
  public var wordRight = "next word"
  public var deleteWord = "delete the word before the caret"
  public var deleteToStart = "delete to the start of the line"
  public var deleteToEnd = "delete to the end of the line"
  /// The text in place of a page, as long as no coordinator has pushed a screen.
  public var noScreen = "No screen to show: no coordinator has pushed one. Call context.push in start()."
  /// The title of the help.
  public var keys = "Keys"
  /// The words of fields that are filled in incorrectly.
  public var page = PageTexts()
  /// The titles of tabs; by default the key of the tab, capitalised.
  public var tabTitles: [TabKey: String] = [:]

  public init() {}

  func title(of tab: TabKey) -> String { tabTitles[tab] ?? tab.title }
}
