internal import Coordinators
internal import Terminal

/// A page in lines of a width, and where each thing is that can have the focus.
struct PageLayout<Action: Sendable>: Sendable {
  /// One line: pieces of text in their styles, from the left.
  struct Line: Sendable {
    var pieces: [(text: String, style: Style)] = []
    /// What has the focus when this line is highlighted.
    var focus: FocusKey?
    /// Where the caret stands, in columns, when the field of this line has the focus.
    var caret: Int?
  }

  private(set) var lines: [Line] = []
  /// What can have the focus, in order, with the line that it is on.
  private(set) var stops: [(key: FocusKey, line: Int)] = []
  private var known: Set<FocusKey> = []

  /// Lays a page out.
  ///
  /// - Parameters:
  ///   - page: What is shown.
  ///   - columns: The width.
  ///   - view: What a person has done on it: the focus, and the texts of its fields.
  init(_ page: Page<Action>, columns: Int, view: PageView) {
    let labels = page.elements.compactMap { if case .fact(let label, _) = $0 { label.displayWidth } else { nil } }
    let factWidth = min(labels.max() ?? 0, max(columns / 3, 1))
    let titles = page.elements.compactMap { if case .row(let row) = $0 { row.cell.title.displayWidth } else { nil } }
    let titleWidth = min(titles.max() ?? 0, max(columns / 2, 1))
    for (index, element) in page.elements.enumerated() {
      switch element {
      case .text(let text, let role):
        if index > 0 { lines.append(Line()) }
        for line in text.wrapped(toColumns: columns) { lines.append(Line(pieces: [(line, role.style)])) }
      case .fact(let label, let value):
        let room = max(columns - factWidth - 2, 1)
        for (number, line) in value.wrapped(toColumns: room).enumerated() {
          let name = (number == 0 ? label : "").fitted(toColumns: factWidth)
          lines.append(Line(pieces: [(name, .dim), ("  ", .plain), (line, .plain)]))
        }
      case .row(let row):
        if case .text? = index > 0 ? page.elements[index - 1] : nil { lines.append(Line()) }
        append(row, titleWidth, columns, view.focus)
      case .form(let form):
        if index > 0 { lines.append(Line()) }
        append(form, columns, view)
      case .button(let button):
        if index > 0 { lines.append(Line()) }
        append(.button(button.id), "[ \(button.title) ]", columns, view.focus)
      }
    }
  }

  private mutating func append(_ row: Page<Action>.Row, _ titleWidth: Int, _ columns: Int, _ focus: FocusKey?) {
    let key = FocusKey.row(row.id)
    guard known.insert(key).inserted else { return }
    let style: Style = focus == key ? .inverse : .plain
    var pieces = [(row.cell.title.fitted(toColumns: min(titleWidth, columns)), style)]
    if let detail = row.cell.detail, columns > titleWidth + 2 {
      let dim: Style = focus == key ? .inverse : .dim
      pieces += [("  ", style), (detail.truncated(toColumns: columns - titleWidth - 2), dim)]
    }
    stops.append((key, lines.count))
    lines.append(Line(pieces: pieces, focus: key))
  }

  private mutating func append(_ form: Page<Action>.Form, _ columns: Int, _ view: PageView) {
    let width = form.fields.map(\.label.displayWidth).max() ?? 0
    let labelWidth = min(width, max(columns / 3, 1))
    for field in form.fields {
      let key = FocusKey.field(form: form.id, name: field.name)
      guard known.insert(key).inserted else { continue }
      let room = max(columns - labelWidth - 4, 1)
      let text = view.text(of: field, in: form.id)
      let (shown, caret) = text.window(columns: room, isSecret: field.kind == .secret)
      stops.append((key, lines.count))
      lines.append(
        Line(
          pieces: [
            (field.label.fitted(toColumns: labelWidth), view.focus == key ? .bold : .plain), ("  ", .plain),
            (shown.padded(toColumns: room), Style(attributes: .underline)),
          ], focus: key, caret: view.focus == key ? labelWidth + 2 + caret : nil))
    }
    append(.submit(form: form.id), "[ \(form.submit) ]", columns, view.focus)
  }

  private mutating func append(_ key: FocusKey, _ text: String, _ columns: Int, _ focus: FocusKey?) {
    guard known.insert(key).inserted else { return }
    stops.append((key, lines.count))
    let style: Style = focus == key ? .inverse : .plain
    lines.append(Line(pieces: [(text.truncated(toColumns: columns), style)], focus: key))
  }
}

/// What can have the focus on a page.
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
