internal import Coordinators
internal import Terminal

struct PageView: Hashable, Sendable {
  /// The element with the focus; a refresh may have removed it.
  var focus: FocusKey?
  var offset = 0
  private var edits: [FocusKey: Edit] = [:]
  private var rows: Int?

  private struct Edit: Hashable {
    var text: TextInput
    var value: String
  }

  /// The text of a field: the typed text, unless the page has a new value.
  func text(of field: PageField, in form: String) -> TextInput {
    guard let edit = edits[.field(form: form, name: field.name)],
      field.value == edit.value || field.value == edit.text.text
    else { return TextInput(field.value) }
    return edit.text
  }

  func values<Action>(of form: Page<Action>.Form) -> [String: String] {
    var values: [String: String] = [:]
    for field in form.fields { values[field.name] = text(of: field, in: form.id).text }
    return values
  }

  mutating func edit(_ field: PageField, in form: String, _ change: (inout TextInput) -> Bool) -> Bool {
    var text = text(of: field, in: form)
    guard change(&text) else { return false }
    edits[.field(form: form, name: field.name)] = Edit(text: text, value: field.value)
    return true
  }

  func hasDroppedText<Action>(on page: Page<Action>) -> Bool {
    guard case .field(let form, let name)? = focus,
      let field = page.form(form)?.fields.first(where: { $0.name == name })
    else { return false }
    return text(of: field, in: form).isCut
  }

  mutating func forgetSecrets<Action>(of form: Page<Action>.Form) {
    for field in form.fields where field.kind == .secret { edits[.field(form: form.id, name: field.name)] = nil }
  }

  mutating func focusFirst<Action>(in layout: PageLayout<Action>) {
    if layout.index(of: focus) != nil { return }
    focus = layout.stops.first?.key
  }

  mutating func move<Action>(_ direction: Int, in layout: PageLayout<Action>, rows: Int) {
    let current = layout.index(of: focus)
    let next = current.map { $0 + direction } ?? 0
    let visible = offset..<offset + rows
    if layout.stops.indices.contains(next), current != nil || visible.contains(layout.stops[next].line) {
      let line = layout.stops[next].line
      let distance = line < visible.lowerBound ? visible.lowerBound - line : line - visible.upperBound + 1
      if distance <= rows / 2 {
        focus = layout.stops[next].key
        reveal(line, rows: rows)
        if next == 0, line < rows { offset = 0 }
        return
      }
    }
    scroll(direction, in: layout, rows: rows)
  }

  mutating func turn<Action>(_ pages: Int, in layout: PageLayout<Action>, rows: Int) {
    scroll(pages * max(rows - 1, 1), in: layout, rows: rows)
    let visible = offset..<offset + rows
    let seen = layout.stops.filter { visible.contains($0.line) }
    if let stop = pages < 0 ? seen.first : seen.last { focus = stop.key }
  }

  mutating func jump<Action>(toEnd: Bool, in layout: PageLayout<Action>, rows: Int) {
    focus = (toEnd ? layout.stops.last : layout.stops.first)?.key
    offset = toEnd ? max(layout.lines.count - rows, 0) : 0
  }

  mutating func clamp<Action>(to layout: PageLayout<Action>, rows: Int) {
    if let before = self.rows, before > rows, let line = layout.index(of: focus).map({ layout.stops[$0].line }),
      (offset..<offset + before).contains(line)
    {
      reveal(line, rows: rows)
    }
    self.rows = rows
    offset = min(max(offset, 0), max(layout.lines.count - rows, 0))
  }

  mutating func reveal(_ line: Int, rows: Int) {
    if line < offset { offset = line }
    if line >= offset + rows { offset = line - rows + 1 }
  }

  private mutating func scroll<Action>(_ lines: Int, in layout: PageLayout<Action>, rows: Int) {
    offset += lines
    clamp(to: layout, rows: rows)
  }
}
