/// What a shell shows of a screen, as a value: a title and, below it, texts, rows, forms and buttons, each with what it
/// means to the app.
///
/// ```swift
/// Page<Screen.Action>("fiets", [
///   .fact(label: "English", value: "bicycle"),
///   .text("Ik ga met de fiets."),
///   .button(.init(id: "log-out", "Log out", .send(.logOut))),
/// ])
/// ```
///
/// It says nothing of cells, fonts or markup, so the same page is drawn in a terminal and written as HTML, and a test
/// compares it without either. Rows are ways to other screens: a shell may follow one twice without harm, as people do with
/// links. What changes something is a button or a form.
///
/// A text in another language than the app's says so, as a BCP 47 tag such as `nl` or `pt-BR`: a screen reader then reads it
/// aloud in that language, where the shell has a way to tell it.
public struct Page<Action: Sendable>: Sendable {
  /// What stands above it, and in a shell's own title.
  public var title: String
  /// The language of the title, where it is another than the app's.
  public var titleLanguage: String?
  /// What stands below each other.
  public var elements: [Element]
  /// Whether there is more to come; a shell marks it.
  public var isLoading: Bool
  /// Whether its content comes from elsewhere, so that a shell offers to fetch it again.
  public var isRefreshable = false
  /// The source of the content of a ``remote(_:title:whileLoading:cache:texts:)`` page.
  package var source: PageSource<Action>?

  /// Creates a page.
  public init(_ title: String, _ elements: [Element] = [], isLoading: Bool = false) {
    self.title = title
    self.elements = elements
    self.isLoading = isLoading
  }

  /// One thing on a page.
  public enum Element: Sendable {
    /// A paragraph; line breaks in it are kept. The language is named where it is another than the app's.
    case text(String, role: PageTextRole = .body, language: String? = nil)
    /// A value with a name; the language is the value's, named where it is another than the app's.
    case fact(label: String, value: String, language: String? = nil)
    /// A way to another screen.
    case row(Row)
    /// Something to fill in and send.
    case form(Form)
    /// Something to do.
    case button(Button)
  }

  /// A way to another screen, as a list has them.
  public struct Row: Sendable {
    /// The identity among the rows of the page; of two of one identity, the first counts.
    public var id: String
    /// What it looks like.
    public var cell: ListCell
    /// What the app hears when the row is selected.
    public var action: Action

    /// Creates a row.
    public init(id: String, _ cell: ListCell, _ action: Action) {
      self.id = id
      self.cell = cell
      self.action = action
    }
  }

  /// Something to do.
  public struct Button: Sendable {
    /// The identity among the buttons of the page; of two of one identity, the first counts.
    public var id: String
    /// What it says.
    public var title: String
    /// What it does.
    public var trigger: Trigger
    /// Whether it leads to the app's search, so that a shell can offer a key for it.
    public var isSearch: Bool

    /// Creates a button.
    public init(id: String, _ title: String, _ trigger: Trigger, isSearch: Bool = false) {
      self.id = id
      self.title = title
      self.trigger = trigger
      self.isSearch = isSearch
    }
  }

  /// What comes of something that a person did on a page.
  public enum Trigger: Sendable {
    /// The app hears of it.
    case send(Action)
    /// The screen's content is fetched again.
    case refresh
  }
}

/// What a text is to its page.
public enum PageTextRole: Hashable, Sendable, CaseIterable {
  /// The text itself.
  case body
  /// What comes after it goes by this name.
  case heading
  /// Beside the matter: a hint, a date.
  case note
  /// What a person has to know now: why something failed.
  case alert
}

/// What a row of a list shows.
public struct ListCell: Hashable, Sendable {
  /// The text that names the item.
  public var title: String
  /// The language of the title, where it is another than the app's; see ``Page``.
  public var titleLanguage: String?
  /// More about it, in less weight.
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
  /// The row of an identity.
  public func row(_ id: String) -> Row? {
    for case .row(let row) in elements where row.id == id { return row }
    return nil
  }

  /// The button of an identity.
  public func button(_ id: String) -> Button? {
    for case .button(let button) in elements where button.id == id { return button }
    return nil
  }

  /// The form of an identity.
  public func form(_ id: String) -> Form? {
    for case .form(let form) in elements where form.id == id { return form }
    return nil
  }
}
