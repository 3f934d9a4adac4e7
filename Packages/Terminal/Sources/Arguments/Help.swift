internal import TextLayout

/// The help of one command, which can be laid out for any width.
public struct HelpPage: Sendable {
  let path: [CommandNode]

  /// The names of the commands, outermost first.
  public var commandPath: [String] { path.map(\.name) }

  /// Returns the laid-out help, with a newline at the end.
  ///
  /// Lines have at most `width` columns, except for single words that are wider.
  ///
  /// - Parameter width: The maximum number of columns, at least 20; smaller values count as 20.
  public func text(width: Int = 80) -> String {
    let width = max(width, 20)
    return sections(width: width).map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }
}

extension HelpPage {
  private func sections(width: Int) -> [[String]] {
    guard let command = path.last else { return [] }
    var sections: [[String]] = []
    if !command.abstract.isEmpty {
      sections.append(headed("OVERVIEW: ", command.abstract.helpLines(columns: width - 10)))
    }
    if !command.discussion.isEmpty { sections.append(command.discussion.helpLines(columns: width)) }
    sections.append(headed("USAGE: ", UsageLine(path: path).pieces.joined(toColumns: width - 7)))
    for list in lists(of: command) where !list.entries.isEmpty {
      sections.append(["\(list.title):"] + list.entries.flatMap { $0.lines(width: width) })
    }
    if !command.examples.isEmpty { sections.append(["EXAMPLES:"] + examples(of: command, width: width)) }
    if !command.subcommands.isEmpty {
      let called = commandPath.joined(separator: " ")
      let line = "See '\(called) help <subcommand>' for detailed help."
      sections.append(line.helpLines(columns: width - 2).map { "  " + $0 })
    }
    return sections
  }

  /// Returns the lines with a heading before the first, and the others indented by its length.
  private func headed(_ heading: String, _ lines: [String]) -> [String] {
    let margin = String(repeating: " ", count: heading.count)
    return lines.enumerated().map { index, line in (index == 0 ? heading : margin) + line }
  }

  private func lists(of command: CommandNode) -> [(title: String, entries: [HelpEntry])] {
    let ungrouped = command.options.filter { $0.section == nil } + BuiltIn.definitions(for: path)
    var lists = [
      ("ARGUMENTS", command.positionals.map(HelpEntry.init(definition:))),
      ("OPTIONS", ungrouped.map(HelpEntry.init(definition:))),
    ]
    let own = Set(command.options.flatMap(\.names))
    let inherited = path.dropLast().reversed().flatMap(\.options).filter {
      !own.contains($0.longName)
    }
    let titled = command.options.filter { $0.section != nil } + inherited
    for definition in titled {
      let title = definition.section ?? "GLOBAL OPTIONS"
      let entry = HelpEntry(definition: definition)
      if let index = lists.firstIndex(where: { $0.0 == title }) {
        lists[index].1.append(entry)
      } else {
        lists.append((title, [entry]))
      }
    }
    lists.append(("SUBCOMMANDS", command.subcommands.map { HelpEntry(label: $0.name, text: $0.abstract) }))
    return lists
  }

  private func examples(of command: CommandNode, width: Int) -> [String] {
    command.examples.flatMap { example in
      ["  " + example.line]
        + (example.abstract.isEmpty ? [] : example.abstract.helpLines(columns: width - 6).map { "      " + $0 })
    }
  }
}

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

/// The usage line of a command: `demo birds [--json] <id> [<files> ...]`.
struct UsageLine {
  let path: [CommandNode]

  /// The parts of the line that are not broken across lines.
  var pieces: [String] {
    guard let command = path.last else { return [] }
    var pieces = path.map(\.name)
    pieces += command.options.map(Self.piece)
    pieces += command.positionals.map(Self.piece)
    if command.isGroup { pieces.append("<subcommand>") }
    return pieces
  }

  private static func piece(_ definition: Definition) -> String {
    let repeated = definition.isRepeating ? definition.label + " ..." : definition.label
    return definition.isRequired ? repeated : "[\(repeated)]"
  }
}

extension String {
  /// The lines of a help text, of at most a number of columns.
  ///
  /// A line that fits is kept, with its spaces. A longer one wraps, and its continuation lines have its indentation. A
  /// word that is too long keeps its own line, so that an address can be copied.
  func helpLines(columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { (line: Substring) -> [String] in
      guard line.displayWidth > columns else { return [String(line)] }
      let indentation = line.prefix { $0 == " " }
      let words = line.split(separator: " ").map(String.init)
      return words.joined(toColumns: columns - indentation.count).map { indentation + $0 }
    }
  }
}
