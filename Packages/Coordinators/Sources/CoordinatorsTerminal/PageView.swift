internal import Coordinators

/// The control that has the focus on a page.
enum Focus: Hashable, Sendable {
  case row(String)
  case button(String)
  case field(form: String, name: String)
  case submit(form: String)
}

/// The focus, the scroll position and the input on one page.
struct PageView: Sendable {
  /// The control with the focus; a refresh may have removed it.
  var focus: Focus?
  private(set) var offset = 0
  /// The problems of the fields since the last attempt to send them.
  private(set) var problems: [Focus: FieldProblem] = [:]
  /// The typed text of each field, with the value that the page had for it.
  private var edits: [Focus: (input: TextInput, value: String)] = [:]
  /// The height of the window when it was last drawn.
  private var rows = 0

  /// The text of a field: the typed text, unless the page has a new value.
  func input(of field: PageField, in form: String) -> TextInput {
    guard let edit = edits[.field(form: form, name: field.name)],
      field.value == edit.value || field.value == edit.input.text
    else { return TextInput(field.value, isMultiline: field.kind == .multiline) }
    return edit.input
  }

  func values<Action>(of form: Page<Action>.Form) -> [String: String] {
    Dictionary(form.fields.map { ($0.name, input(of: $0, in: form.id).text) }) { $1 }
  }

  mutating func set(_ input: TextInput, for field: PageField, in form: String) {
    let key = Focus.field(form: form, name: field.name)
    if input.text != self.input(of: field, in: form).text { problems[key] = nil }
    edits[key] = (input, field.value)
  }

  /// Returns the action of a form, or shows the problems of its fields and moves the focus to the first of them.
  mutating func send<Action>(_ form: Page<Action>.Form) -> Action? {
    let values = values(of: form)
    let found = form.problems(in: values)
    for field in form.fields { problems[.field(form: form.id, name: field.name)] = found[field.name] }
    if let first = form.fields.first(where: { found[$0.name] != nil }) {
      focus = .field(form: form.id, name: first.name)
      return nil
    }
    for field in form.fields where field.kind == .secret { edits[.field(form: form.id, name: field.name)] = nil }
    return form.action(for: values)
  }
}

extension PageView {
  /// Moves the focus by a control, or scrolls towards a control that is far away.
  mutating func move<Action>(_ direction: Int, in layout: PageLayout<Action>) {
    let current = layout.index(of: focus)
    let next = current.map { $0 + direction } ?? 0
    if layout.stops.indices.contains(next) {
      let line = layout.stops[next].lines.lowerBound
      let distance = line < offset ? offset - line : line - (offset + layout.rows) + 1
      if distance <= (current == nil ? 0 : layout.rows / 2) {
        setFocus(next, in: layout)
        if next == 0, line < layout.rows { offset = 0 }
        return
      }
    }
    scroll(direction, in: layout)
  }

  mutating func turn<Action>(_ pages: Int, in layout: PageLayout<Action>) {
    scroll(pages * max(layout.rows - 1, 1), in: layout)
    let visible = offset..<offset + layout.rows
    let stops = layout.stops.filter { visible.contains($0.lines.lowerBound) }
    if let stop = pages < 0 ? stops.first : stops.last { focus = stop.focus }
  }

  mutating func jump<Action>(toEnd: Bool, in layout: PageLayout<Action>) {
    focus = toEnd ? layout.stops.last?.focus : layout.stops.first?.focus
    scroll(toEnd ? layout.count : -layout.count, in: layout)
  }

  mutating func cycle<Action>(_ direction: Int, in layout: PageLayout<Action>) {
    guard let current = layout.index(of: focus) else { return }
    setFocus((current + direction + layout.stops.count) % layout.stops.count, in: layout)
  }

  mutating func setFocus<Action>(_ index: Int, in layout: PageLayout<Action>) {
    let stop = layout.stops[index]
    focus = stop.focus
    reveal(stop.lines.upperBound - 1, in: layout)
    reveal(stop.lines.lowerBound, in: layout)
  }

  /// Gives the first control the focus if none has it, and keeps the window on the page and on the focus.
  mutating func fit<Action>(to layout: PageLayout<Action>) {
    if let stop = layout.index(of: focus).map({ layout.stops[$0] }) ?? layout.stops.first {
      focus = stop.focus
      let line = stop.lines.lowerBound
      if rows > layout.rows, (offset..<offset + rows).contains(line) { reveal(line, in: layout) }
    }
    rows = layout.rows
    scroll(0, in: layout)
  }

  private mutating func reveal<Action>(_ line: Int, in layout: PageLayout<Action>) {
    if line < offset { offset = line }
    if line >= offset + layout.rows { offset = line - layout.rows + 1 }
  }

  private mutating func scroll<Action>(_ lines: Int, in layout: PageLayout<Action>) {
    offset = max(min(offset + lines, layout.count - layout.rows), 0)
  }
}
