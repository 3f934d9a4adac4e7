public import Coordinators

/// The words of a ``TerminalShell`` that are not the app's own: what keys do, and the titles of tabs; a value that the app
/// hands in, in English without one.
///
/// ```swift
/// var texts = TerminalTexts()
/// texts.back = "terug"
/// texts.tabTitles = ["words": "Woorden", "phrases": "Zinnen"]
/// ```
public struct TerminalTexts: Hashable, Sendable {
  /// What the arrows do.
  public var move = "move"
  /// What Enter does on a row.
  public var open = "open"
  /// What Enter does in a form.
  public var send = "next/send"
  /// What Tab does in a form.
  public var nextField = "next field"
  /// What Tab does beside tabs.
  public var nextTab = "next tab"
  /// What Esc does.
  public var back = "back"
  /// The word for the search, beside `/`.
  public var search = "search"
  /// What `r` does.
  public var refresh = "refresh"
  /// What `q` and Ctrl-C do.
  public var quit = "quit"
  /// The titles of tabs; a tab that is not in it has its key, with a capital letter.
  public var tabTitles: [TabKey: String] = [:]

  /// Creates the words in English.
  public init() {}

  /// The title of a tab.
  func title(of tab: TabKey) -> String { tabTitles[tab] ?? tab.name.prefix(1).uppercased() + tab.name.dropFirst() }
}
