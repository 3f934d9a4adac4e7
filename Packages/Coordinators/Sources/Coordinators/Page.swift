/// The page of a screen, as a value: its title and its elements, with the action of each.
///
/// ```swift
/// Page<Screen.Action>("fiets", [
///   .fact(label: "English", value: "bicycle"),
///   .text("Ik ga met de fiets."),
///   .row("Examples", detail: "12", .open(.examples)),
///   .button(.init(id: "log-out", "Log out", .send(.logOut))),
/// ])
/// ```
///
/// The same page is drawn in a terminal, written as HTML and shown by UIKit.
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
    /// A label and its value; facts in a row form one list.
    case fact(label: String, value: String, language: String? = nil)
    case row(Row)
    case image(PageImage)
    case table(PageTable)
    case form(Form)
    case button(Button)
  }

  /// A row of a list, which leads to another screen.
  ///
  /// A shell may send its action more than once, as a browser does with a link. Use buttons and forms for changes.
  public struct Row: Sendable {
    /// The identity among the rows of the page; a shell adds a number to a duplicate.
    public var id: String
    public var title: String
    /// A second text beside the title.
    public var detail: String?
    /// The language of the title.
    public var language: String?
    public var action: Action

    /// Creates a row; without an ID, its title is its identity.
    public init(
      id: String? = nil, _ title: String, detail: String? = nil, language: String? = nil, _ action: Action
    ) {
      self.id = id ?? title
      self.title = title
      self.detail = detail
      self.language = language
      self.action = action
    }
  }

  public struct Button: Sendable {
    public var id: String
    public var title: String
    public var trigger: Trigger

    public init(id: String, _ title: String, _ trigger: Trigger) {
      self.id = id
      self.title = title
      self.trigger = trigger
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

/// An image of a page.
///
/// ```swift
/// .image(PageImage("/images/soup.jpg", description: "A bowl of tomato soup"))
/// ```
public struct PageImage: Hashable, Sendable {
  /// The URL of the image: absolute, a path on the server of the page, or a `data:` URL.
  public var url: String
  /// The text for readers who do not see the image; empty for a decoration.
  ///
  /// A terminal shows this text.
  public var description: String

  public init(_ url: String, description: String) {
    self.url = url
    self.description = description
  }
}

/// A table of texts.
///
/// ```swift
/// .table(PageTable("Ingredients", columns: ["Name", .number("Grams")], rows: [["Flour", "250"], ["Butter", "125"]]))
/// ```
public struct PageTable: Hashable, Sendable {
  public struct Column: Hashable, Sendable, ExpressibleByStringLiteral {
    public var title: String
    /// Whether the column has numbers, which are aligned at their end.
    public var isNumeric: Bool

    public init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }

    public init(stringLiteral title: String) { self.init(title) }

    public static func number(_ title: String) -> Column { Column(title, isNumeric: true) }
  }

  /// The name of the table, for screen readers and as its caption.
  public var caption: String
  public var columns: [Column]
  /// The texts of each row; missing texts at the end are empty, and texts beyond the columns are ignored.
  public var rows: [[String]]

  public init(_ caption: String, columns: [Column], rows: [[String]]) {
    self.caption = caption
    self.columns = columns
    self.rows = rows
  }
}

/// The words that shells add to the pages of every app, in English by default.
public struct PageTexts: Hashable, Sendable {
  public var loading = "Loading…"
  public var tryAgain = "Try again"
  public var notUpToDate = "Not up to date:"
  /// The problem of a required field without a value.
  public var missing = "Fill in this field."
  public var notANumber = "Enter a number."
  /// The problem of a number outside of its range, with `{min}` and `{max}` for the limits.
  public var outOfRange = "Enter a number from {min} to {max}."
  public var unknownChoice = "Choose one of the options."

  public init() {}

  /// Returns the text of a problem for the user.
  public func text(of problem: FieldProblem) -> String {
    switch problem {
    case .missing: missing
    case .notANumber: notANumber
    case .outOfRange(let range):
      outOfRange.replacing("{min}", with: range.lowerBound.shortText)
        .replacing("{max}", with: range.upperBound.shortText)
    case .unknownChoice: unknownChoice
    }
  }
}

extension Page.Element {
  public static func row(
    id: String? = nil, _ title: String, detail: String? = nil, language: String? = nil, _ action: Action
  ) -> Self {
    .row(Page.Row(id: id, title, detail: detail, language: language, action))
  }
}

extension Page {
  /// Returns a page with a row for each item, or with a note when there are none.
  ///
  /// ```swift
  /// Page.list("Words", words, placeholder: "No words yet.") { .init(id: $0.id, $0.dutch, detail: $0.english, .open($0)) }
  /// ```
  public static func list<Item>(
    _ title: String, _ items: [Item], placeholder: String = "Nothing here.", row: (Item) -> Row
  ) -> Page {
    Page(title, items.isEmpty ? [.text(placeholder, role: .note)] : items.map { .row(row($0)) })
  }

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

  /// Gives each row, form and button its own identity.
  ///
  /// A duplicate gets its number, as in `fiets`, `fiets 2`.
  package var distinct: Page {
    var page = self
    var (rows, forms, buttons): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
    page.elements = elements.map { element in
      switch element {
      case .row(var row):
        row.id = numbered(row.id, &rows)
        return .row(row)
      case .form(var form):
        form.id = numbered(form.id, &forms)
        return .form(form)
      case .button(var button):
        button.id = numbered(button.id, &buttons)
        return .button(button)
      case .text, .fact, .image, .table: return element
      }
    }
    return page
  }
}

private func numbered(_ id: String, _ counts: inout [String: Int]) -> String {
  let count = counts[id, default: 0] + 1
  counts[id] = count
  return count == 1 ? id : numbered("\(id) \(count)", &counts)
}
