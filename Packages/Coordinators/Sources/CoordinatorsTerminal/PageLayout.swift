internal import Coordinators
internal import Terminal

/// The lines of a page.
///
/// The place of each element is known, but only the visible elements are composed, because a list can be long.
struct PageLayout<Action: Sendable>: Sendable {
  private struct Line {
    var pieces: [(text: String, style: Style)]
    /// The control that the line belongs to, and the column of the cursor in it.
    var focus: Focus?
    var caret: Int?
  }

  let page: Page<Action>
  /// The number of lines.
  private(set) var count = 0
  /// The controls that can have the focus, and their lines.
  private(set) var stops: [(focus: Focus, lines: Range<Int>)] = []
  private(set) var frame: ScreenFrame
  private var columns: Int { frame.area.columns }
  var rows: Int { frame.area.rows }
  private let theme: TerminalTheme
  private let texts: TerminalTexts
  private let problems: [Focus: FieldProblem]
  /// The first line of each element.
  private var starts: [Int] = []
  /// The common width of labels and of titles.
  private let factWidth: Int
  private let titleWidth: Int

  /// Lays out a page in time proportional to the number of rows and the length of texts.
  init(
    _ page: Page<Action>, _ size: TerminalSize, isModal: Bool, problems: [Focus: FieldProblem], theme: TerminalTheme,
    texts: TerminalTexts
  ) {
    (self.problems, self.theme, self.texts) = (problems, theme, texts)
    frame = ScreenFrame(size, isModal: isModal, lines: 0)
    self.page = page.distinct
    let elements = self.page.elements
    var (labels, titles) = (0, 0)
    // The beginning of a long page is enough for its columns.
    for element in elements.prefix(200) {
      if case .fact(let label, _, _) = element { labels = max(labels, label.onOneLine.displayWidth) }
      if case .row(let row) = element, row.detail != nil { titles = max(titles, row.title.onOneLine.displayWidth) }
    }
    factWidth = min(labels, max(frame.area.columns / 3, 1))
    titleWidth = min(titles, max(frame.area.columns / 2 - 2, 1))
    for (index, element) in elements.enumerated() {
      // A row is not composed before it is visible.
      let lines =
        if case .row(let row) = element { [Line(pieces: [], focus: .row(row.id))] } else {
          lines(of: element, PageView())
        }
      if !lines.isEmpty, count > 0, element.needsGap(after: elements[index - 1]) { count += 1 }
      starts.append(count)
      for line in lines {
        count += 1
        guard let focus = line.focus else { continue }
        if stops.last?.focus == focus, let last = stops.indices.last {
          stops[last].lines = stops[last].lines.lowerBound..<count
        } else {
          stops.append((focus, count - 1..<count))
        }
      }
    }
    frame = ScreenFrame(size, isModal: isModal, lines: count)
  }

  func index(of focus: Focus?) -> Int? { stops.firstIndex { $0.focus == focus } }

  /// Draws the lines from the offset of a view on, and returns the position of the control with the focus.
  func draw(_ view: PageView, on screen: inout Terminal.Screen) -> Position? {
    var cursor: Position?
    var element = starts.lastIndex { $0 <= view.offset } ?? 0
    while element < starts.count, starts[element] < view.offset + screen.rows {
      for (index, line) in lines(of: page.elements[element], view).enumerated() {
        let row = starts[element] + index - view.offset
        guard (0..<screen.rows).contains(row) else { continue }
        var column = 0
        for piece in line.pieces {
          column = screen.write(piece.text, at: Position(column: column, row: row), style: piece.style)
        }
        if let caret = line.caret, line.focus == view.focus { cursor = Position(column: caret, row: row) }
      }
      element += 1
    }
    return cursor
  }
}

// MARK: - Composing

extension PageLayout {
  /// Long lines are hard to read, also where there is room for them.
  private var textColumns: Int { min(columns, 90) }
  /// Labels stand above their fields where they would take most of the line.
  private var isNarrow: Bool { columns < 36 }

  private func lines(of element: Page<Action>.Element, _ view: PageView) -> [Line] {
    switch element {
    case .text(let text, let role, _):
      let style: Style =
        switch role {
        case .body: .plain
        case .heading: theme.heading
        case .note: theme.secondary
        case .alert: theme.alert
        }
      return text.wrapped(toColumns: textColumns).map { Line(pieces: [($0, style)]) }
    case .fact(let label, let value, _):
      let label = label.onOneLine.fitted(toColumns: factWidth)
      let lines = value.wrapped(toColumns: max(min(columns - factWidth - 2, 90), 1))
      return lines.enumerated().map { number, line in
        let start = number == 0 ? label : spaces(factWidth)
        return Line(pieces: [(start, theme.secondary), (gap(between: start, and: line), .plain), (line, .plain)])
      }
    case .row(let row): return [line(of: row, hasFocus: view.focus == .row(row.id))]
    case .image(let image):
      if image.description.isEmpty { return [] }
      return "[\(image.description)]".wrapped(toColumns: textColumns).map { Line(pieces: [($0, theme.secondary)]) }
    case .table(let table): return lines(of: table)
    case .form(let form):
      let widest = form.fields.map { $0.kind == .checkbox ? 0 : $0.shownLabel.displayWidth }.max() ?? 0
      let start = isNarrow ? 0 : min(widest, max(columns / 3, 1)) + 2
      return form.fields.flatMap { lines(of: $0, in: form, start, view) }
        + [line(ofButton: form.submit, .submit(form: form.id), view)]
    case .button(let button): return [line(ofButton: button.title, .button(button.id), view)]
    }
  }

  private func line(ofButton title: String, _ focus: Focus, _ view: PageView) -> Line {
    let style = view.focus == focus ? theme.selection : .plain
    return Line(pieces: [("[ \(title.onOneLine) ]".truncated(toColumns: columns), style)], focus: focus, caret: 0)
  }

  private func line(of row: Page<Action>.Row, hasFocus: Bool) -> Line {
    let title = row.title.onOneLine
    let (selected, secondary) = hasFocus ? (theme.selection, theme.selection) : (.plain, theme.secondary)
    var line = Line(
      pieces: columns > 4 ? [("› ", hasFocus ? theme.selection : theme.mark)] : [], focus: .row(row.id), caret: 0)
    let room = columns - line.pieces.count * 2
    guard let detail = row.detail?.onOneLine, room > titleWidth + 2 else {
      line.pieces.append((title.truncated(toColumns: room), selected))
      return line
    }
    // Titles beyond the measured rows may be wider than the column.
    let shown = title.truncated(toColumns: max(titleWidth, room / 2)).padded(toColumns: titleWidth)
    let rest = detail.truncated(toColumns: room - shown.displayWidth - 2)
    line.pieces += [(shown, selected), (gap(between: title, and: detail), secondary), (rest, secondary)]
    return line
  }

  private func lines(of table: PageTable) -> [Line] {
    let columns = table.columns.map {
      TextTable.Column($0.title.onOneLine, alignment: $0.isNumeric ? .right : .left)
    }
    // The end of a cell keeps the next cell in its place, as in a gap.
    let cells = table.rows.map { $0.map { $0.isRightToLeft ? "\($0.onOneLine)\u{2800}" : $0.onOneLine } }
    let rows = TextTable(columns, rows: cells).lines(width: self.columns)
    let hasTitles = table.columns.contains { !$0.title.isEmpty }
    let caption = table.caption.isEmpty ? [] : table.caption.wrapped(toColumns: textColumns)
    return caption.map { Line(pieces: [($0, theme.heading)]) }
      + rows.enumerated().map { Line(pieces: [($1, $0 == 0 && hasTitles ? theme.secondary : .plain)]) }
  }

  /// Returns the lines of a field, whose value begins at a column.
  private func lines(
    of field: PageField, in form: Page<Action>.Form, _ start: Int, _ view: PageView
  ) -> [Line] {
    let focus = Focus.field(form: form.id, name: field.name)
    let (selected, emphasis): (Style, Style) = view.focus == focus ? (theme.selection, .bold) : (.plain, .plain)
    let input = view.input(of: field, in: form.id)
    let room = max(min(columns - start, 90) - 1, 1)
    let label = field.shownLabel
    var lines: [Line] = []
    if isNarrow, field.kind != .checkbox { lines.append(Line(pieces: [(label.truncated(toColumns: columns), .plain)])) }
    func add(_ text: String, _ style: Style, caret: Int?, label: String = "") {
      let head = start == 0 ? "" : label.fitted(toColumns: start - 2) + gap(between: label, and: label)
      lines.append(Line(pieces: [(head, emphasis), (text, style)], focus: focus, caret: caret.map { start + $0 }))
    }
    switch field.kind {
    case .checkbox:
      add("[\(input.text.isEmpty ? " " : "x")] ", selected, caret: 1)
      lines[lines.count - 1].pieces.append((label.truncated(toColumns: max(room - 4, 0)), emphasis))
    case .choice(let choices):
      let title = choices.first { $0.value == input.text }?.title.onOneLine ?? "—"
      add("‹ \(title.truncated(toColumns: max(room - 4, 1))) ›", selected, caret: 0, label: label)
    case .multiline:
      let (shown, caret) = input.window(columns: room, rows: 4)
      for row in 0..<4 {
        let text = row < shown.count ? shown[row] : ""
        add(
          text.padded(toColumns: room), theme.field, caret: caret.row == row ? caret.column : nil,
          label: row == 0 ? label : "")
      }
    case .text, .secret, .search, .number:
      let (shown, caret) = input.window(columns: room, isSecret: field.kind == .secret)
      add(shown.padded(toColumns: room), theme.field, caret: caret, label: label)
    }
    let problem = problems[focus].map { texts.page.text(of: $0) } ?? field.error
    for (text, style) in [(problem, theme.alert), (field.hint, theme.secondary)] {
      let wrapped = text?.wrapped(toColumns: max(textColumns - start, 1)) ?? []
      lines += wrapped.map { Line(pieces: [(spaces(start), .plain), ($0, style)]) }
    }
    return lines
  }
}

extension PageField {
  /// The label, with a mark for a required field.
  fileprivate var shownLabel: String { isRequired ? "\(label.onOneLine) *" : label.onOneLine }
}

extension Page.Element {
  /// Facts and rows are lists; other elements are separated by an empty line.
  fileprivate func needsGap(after previous: Page.Element) -> Bool {
    switch (self, previous) {
    case (.fact, .fact), (.row, .row), (.fact, .row), (.row, .fact): false
    default: true
    }
  }
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

/// Returns the space between two parts of a line.
///
/// After or before text that is written from right to left, a terminal with support for it would exchange the two parts,
/// because spaces have no direction. The empty Braille pattern looks like a space, and has the direction of Latin letters.
private func gap(between left: String, and right: String) -> String {
  left.isRightToLeft || right.isRightToLeft ? " \u{2800}" : "  "
}

extension String {
  fileprivate var isRightToLeft: Bool {
    // The blocks of Hebrew, Arabic and the scripts after them.
    let blocks: [ClosedRange<UInt32>] = [0x0590...0x08FF, 0xFB1D...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF]
    return unicodeScalars.contains { scalar in blocks.contains { $0.contains(scalar.value) } }
  }
}
