/// The page of a screen, as a value: a title, texts, rows, forms and buttons, and the action of each.
///
/// ```swift
/// Page<Screen.Action>("fiets", [
///   .fact(label: "English", value: "bicycle"),
///   .text("Ik ga met de fiets."),
///   .button(.init(id: "log-out", "Log out", .send(.logOut))),
/// ])
/// ```
///
/// It is independent of cells, fonts and markup, so the same page is drawn in a terminal and written as HTML, and a test
/// compares it without either. A row leads to another screen, as a link does: a shell may send its action more than once. Use
/// buttons and forms for changes.
///
/// A text in another language than the app's has a BCP 47 tag such as `nl` or `pt-BR`, so that screen readers pronounce it
/// correctly.
public struct Page<Action: Sendable>: Sendable {
  /// The title above the elements, and of the window.
  public var title: String
  /// The language of the title, if it is not the app's.
  public var titleLanguage: String?
  /// The elements, from top to bottom.
  public var elements: [Element]
  /// Whether content is still loading; a shell marks it.
  public var isLoading: Bool
  /// Whether a shell offers to fetch the content again.
  public var isRefreshable = false
  /// The source of the content of a ``remote(_:title:whileLoading:texts:)`` page.
  package var source: PageSource<Action>?

  /// Creates a page.
  public init(_ title: String, _ elements: [Element] = [], isLoading: Bool = false) {
    self.title = title
    self.elements = elements
    self.isLoading = isLoading
  }

  /// An element of a page.
  public enum Element: Sendable {
    /// A paragraph, with its line breaks; the language if it is not the app's.
    case text(String, role: PageTextRole = .body, language: String? = nil)
    /// A value with a label; the language of the value if it is not the app's.
    case fact(label: String, value: String, language: String? = nil)
    /// A link to another screen.
    case row(Row)
    /// A form.
    case form(Form)
    /// A button.
    case button(Button)
  }

  /// A row of a list, which leads to another screen.
  public struct Row: Sendable {
    /// The identity among the rows of the page; a shell adds a number to a duplicate.
    public var id: String
    /// The title and the detail.
    public var cell: ListCell
    /// The action of a selection.
    public var action: Action

    /// Creates a row.
    public init(id: String, _ cell: ListCell, _ action: Action) {
      self.id = id
      self.cell = cell
      self.action = action
    }
  }

  /// A button.
  public struct Button: Sendable {
    /// The identity among the buttons of the page; a shell adds a number to a duplicate.
    public var id: String
    /// The title.
    public var title: String
    /// The effect.
    public var trigger: Trigger
    /// Whether the button opens the app's search; the terminal shell then offers the key `/` for it.
    public var isSearch: Bool

    /// Creates a button.
    public init(id: String, _ title: String, _ trigger: Trigger, isSearch: Bool = false) {
      self.id = id
      self.title = title
      self.trigger = trigger
      self.isSearch = isSearch
    }
  }

  /// The effect of a button.
  public enum Trigger: Sendable {
    /// Sends an action to the coordinator.
    case send(Action)
    /// Fetches the content of the screen again.
    case refresh
  }
}

/// The role of a text on its page.
public enum PageTextRole: Hashable, Sendable, CaseIterable {
  /// Body text.
  case body
  /// A heading of the elements below it.
  case heading
  /// A note, for example a hint or a date.
  case note
  /// An alert, for example the reason of a failure.
  case alert
}

/// The content of a row of a list.
public struct ListCell: Hashable, Sendable {
  /// The title.
  public var title: String
  /// The language of the title, if it is not the app's; see ``Page``.
  public var titleLanguage: String?
  /// A detail, less prominent.
  public var detail: String?

  /// Creates a cell.
  public init(_ title: String = "", detail: String? = nil) {
    self.title = title
    self.detail = detail
  }
}

extension Page.Element {
  /// A row with a title, which is also its identity.
  public static func row(_ title: String, detail: String? = nil, _ action: Action) -> Self {
    .row(Page.Row(id: title, ListCell(title, detail: detail), action))
  }
}

extension Page {
  /// Returns the row with an identity.
  public func row(_ id: String) -> Row? {
    for case .row(let row) in elements where row.id == id { return row }
    return nil
  }

  /// Returns the button with an identity.
  public func button(_ id: String) -> Button? {
    for case .button(let button) in elements where button.id == id { return button }
    return nil
  }

  /// Returns the form with an identity.
  public func form(_ id: String) -> Form? {
    for case .form(let form) in elements where form.id == id { return form }
    return nil
  }
}
