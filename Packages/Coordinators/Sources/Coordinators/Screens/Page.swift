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
  public var title: String
  public var titleLanguage: String?
  public var elements: [Element]
  public var isLoading: Bool
  public var isRefreshable = false
  package var source: PageSource<Action>?

  public init(_ title: String, _ elements: [Element] = [], isLoading: Bool = false) {
    self.title = title
    self.elements = elements
    self.isLoading = isLoading
  }

  public enum Element: Sendable {
    case text(String, role: PageTextRole = .body, language: String? = nil)
    case fact(label: String, value: String, language: String? = nil)
    case row(Row)
    case form(Form)
    case button(Button)
  }

  public struct Row: Sendable {
    /// The identity among the rows of the page; a shell adds a number to a duplicate.
    public var id: String
    public var cell: ListCell
    public var action: Action

    public init(id: String, _ cell: ListCell, _ action: Action) {
      self.id = id
      self.cell = cell
      self.action = action
    }
  }

  public struct Button: Sendable {
    public var id: String
    public var title: String
    public var trigger: Trigger
    /// Whether the button opens the app's search; the terminal shell then offers the key `/` for it.
    public var isSearch: Bool

    public init(id: String, _ title: String, _ trigger: Trigger, isSearch: Bool = false) {
      self.id = id
      self.title = title
      self.trigger = trigger
      self.isSearch = isSearch
    }
  }

  public enum Trigger: Sendable {
    case send(Action)
    case refresh
  }
}

public enum PageTextRole: Hashable, Sendable, CaseIterable {
  case body
  case heading
  case note
  case alert
}

public struct ListCell: Hashable, Sendable {
  public var title: String
  public var titleLanguage: String?
  public var detail: String?

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
  public func row(_ id: String) -> Row? {
    for case .row(let row) in elements where row.id == id { return row }
    return nil
  }

  public func button(_ id: String) -> Button? {
    for case .button(let button) in elements where button.id == id { return button }
    return nil
  }

  public func form(_ id: String) -> Form? {
    for case .form(let form) in elements where form.id == id { return form }
    return nil
  }
}
