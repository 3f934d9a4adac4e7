internal import TextLayout

/// An entry of a list in help: a label on the left, its description on the right.
struct HelpEntry {
  let label: String
  let text: String

  init(label: String, text: String) {
    self.label = label
    self.text = text
  }

  init(definition: Definition) {
    let names = definition.names.joined(separator: ", ")
    switch definition.kind {
    case .positional: label = "<\(definition.valueName)>"
    case .option: label = names + " <\(definition.valueName)>"
    case .flag: label = names
    }
    var notes: [String] = []
    if !definition.choices.isEmpty { notes.append("values: " + definition.choices.joined(separator: ", ")) }
    if let initial = definition.defaultDescription { notes.append("default: " + initial) }
    let note = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
    text = [definition.help, note].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the lines of the entry, with the description beside the label if the label is short enough, otherwise below
  /// it.
  func lines(width: Int) -> [String] {
    let column = width >= 60 ? 26 : 8
    let margin = String(repeating: " ", count: column)
    guard !text.isEmpty else { return ["  " + label] }
    var lines = text.helpLines(columns: width - column).map { margin + $0 }
    let labelWidth = label.displayWidth
    if labelWidth + 3 <= column {
      let gap = String(repeating: " ", count: column - 2 - labelWidth)
      lines[0] = "  " + label + gap + lines[0].dropFirst(column)
    } else {
      lines.insert("  " + label, at: 0)
    }
    return lines
  }
}
