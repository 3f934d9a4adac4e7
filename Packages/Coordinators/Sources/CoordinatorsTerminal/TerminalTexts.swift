public import Coordinators

/// The words that a ``TerminalShell`` adds to the pages: key hints, a notice and the titles of tabs, in English by default.
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
  /// The hint for Enter in a form.
  public var send = "next/send"
  /// The hint for Tab in a form.
  public var nextField = "next field"
  /// The hint for Tab on a page with tabs.
  public var nextTab = "next tab"
  public var back = "back"
  public var search = "search"
  public var refresh = "refresh"
  public var quit = "quit"
  /// The notice in place of the hints, after text beyond the maximum length of a field was dropped.
  public var fieldFull = "Field full: at most 1,000 characters"
  /// The titles of tabs; by default the key of the tab, capitalised.
  public var tabTitles: [TabKey: String] = [:]

  public init() {}

  func title(of tab: TabKey) -> String { tabTitles[tab] ?? tab.name.prefix(1).uppercased() + tab.name.dropFirst() }
}
