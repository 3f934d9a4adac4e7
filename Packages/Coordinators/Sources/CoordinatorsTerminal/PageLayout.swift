internal import Coordinators
internal import Terminal

/// Independent of the focus and the input.
///
/// Lines are styled when they are drawn, because a list can be long and only a few rows are visible.
struct PageLayout<Action: Sendable>: Sendable {
  struct Line: Sendable {
    enum Content: Sendable {
      case blank
      case text(String, Style)
      case fact(label: String, value: String)
      case row(ListCell)
      case field(PageField, form: String, labelWidth: Int)
      case button(String)
    }

    var content: Content
    /// The element that has the focus when this line is highlighted.
    var focus: FocusKey?
  }

  private(set) var lines: [Line] = []
  private(set) var stops: [(key: FocusKey, line: Int)] = []
  private var indices: [FocusKey: Int] = [:]
  private let columns: Int
  private let factWidth: Int
  private let titleWidth: Int

  /// Takes time proportional to the length of the page.
  init(_ page: Page<Action>, columns: Int) {
    self.columns = columns
    let factWidth = page.elements.width(atMost: max(columns / 3, 1)) {
      if case .fact(let label, _, _) = $0 { label } else { nil }
    }
    // A row without a detail uses the whole line.
    let titleWidth = page.elements.width(atMost: max(columns / 2, 1)) {
      if case .row(let row) = $0, row.cell.detail != nil { row.cell.title } else { nil }
    }
    // On a page with facts and rows, the values and the details are aligned in one column.
    self.factWidth = factWidth == 0 ? 0 : max(factWidth, titleWidth)
    self.titleWidth = titleWidth == 0 ? 0 : max(factWidth, titleWidth)
    for (index, element) in page.elements.enumerated() {
      switch element {
      case .text(let text, let role, _):
        if index > 0 { lines.append(Line(content: .blank)) }
        for line in text.wrapped(toColumns: columns) { lines.append(Line(content: .text(line, role.style))) }
      case .fact(let label, let value, _):
        let room = max(columns - factWidth - 2, 1)
        for (number, line) in value.wrapped(toColumns: room).enumerated() {
          lines.append(Line(content: .fact(label: number == 0 ? label : "", value: line)))
        }
      case .row(let row):
        if case .text? = index > 0 ? page.elements[index - 1] : nil { lines.append(Line(content: .blank)) }
        append(.row(row.id), .row(row.cell))
      case .form(let form):
        if index > 0 { lines.append(Line(content: .blank)) }
        append(form)
      case .button(let button):
        if index > 0 { lines.append(Line(content: .blank)) }
        append(.button(button.id), .button(button.title))
      }
    }
  }

  func index(of key: FocusKey?) -> Int? { key.flatMap { indices[$0] } }

  private mutating func append(_ form: Page<Action>.Form) {
    let labelWidth = form.fields.width(atMost: max(columns / 3, 1)) { $0.label }
    for field in form.fields {
      append(.field(form: form.id, name: field.name), .field(field, form: form.id, labelWidth: labelWidth))
    }
    append(.submit(form: form.id), .button(form.submit))
  }

  private mutating func append(_ key: FocusKey, _ content: Line.Content) {
    indices[key] = stops.count
    stops.append((key, lines.count))
    lines.append(Line(content: content, focus: key))
  }
}

extension PageLayout {
  func drawn(_ line: Line, _ view: PageView) -> (pieces: [(text: String, style: Style)], caret: Int?) {
    let hasFocus = line.focus != nil && line.focus == view.focus
    let style: Style = hasFocus ? .inverse : .plain
    switch line.content {
    case .blank: return ([], nil)
    case .text(let text, let style): return ([(text, style)], nil)
    case .fact(let label, let value):
      return ([(label.onOneLine.fitted(toColumns: factWidth), .dim), ("  ", .plain), (value, .plain)], nil)
    case .row(let cell):
      guard let detail = cell.detail, columns > titleWidth + 2 else {
        return ([(cell.title.onOneLine.truncated(toColumns: columns), style)], nil)
      }
      let title = (cell.title.onOneLine.fitted(toColumns: titleWidth), style)
      let room = columns - titleWidth - 2
      return ([title, ("  ", style), (detail.onOneLine.truncated(toColumns: room), hasFocus ? .inverse : .dim)], nil)
    case .field(let field, let form, let labelWidth):
      let room = max(columns - labelWidth - 4, 1)
      let (shown, caret) = view.text(of: field, in: form).window(columns: room, isSecret: field.kind == .secret)
      let pieces: [(text: String, style: Style)] = [
        (field.label.onOneLine.fitted(toColumns: labelWidth), hasFocus ? .bold : .plain), ("  ", .plain),
        (shown.padded(toColumns: room), Style(attributes: .underline)),
      ]
      return (pieces, hasFocus ? labelWidth + 2 + caret : nil)
    case .button(let title): return ([("[ \(title.onOneLine) ]".truncated(toColumns: columns), style)], nil)
    }
  }
}

extension Collection {
  fileprivate func width(atMost limit: Int, _ text: (Element) -> String?) -> Int {
    var widest = 0
    for element in self where widest < limit { widest = Swift.max(widest, text(element)?.onOneLine.displayWidth ?? 0) }
    return Swift.min(widest, limit)
  }
}

extension Page {
  var searchKey: FocusKey? {
    for element in elements {
      switch element {
      case .form(let form):
        if let field = form.fields.first(where: { $0.kind == .search }) {
          return .field(form: form.id, name: field.name)
        }
      case .button(let button): if button.isSearch { return .button(button.id) }
      case .text, .fact, .row: break
      }
    }
    return nil
  }
}

enum FocusKey: Hashable, Sendable {
  case row(String)
  case button(String)
  case field(form: String, name: String)
  case submit(form: String)
}

extension PageTextRole {
  fileprivate var style: Style {
    switch self {
    case .body: .plain
    case .heading: .bold
    case .note: .dim
    case .alert: Style(foreground: .red, attributes: .bold)
    }
  }
}
