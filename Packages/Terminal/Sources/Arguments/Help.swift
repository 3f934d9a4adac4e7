internal import TextLayout

/// The help of one command, which can be laid out for any width.
public struct HelpPage: Sendable {
  let path: [CommandNode]

  /// Returns the laid-out help, with a newline at the end.
  ///
  /// Lines have at most `width` columns, except for a label, an example or a part of the usage line that is wider.
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
      sections.append(headed("OVERVIEW: ", command.abstract.wrapped(toColumns: width - 10)))
    }
    if !command.discussion.isEmpty { sections.append(command.discussion.wrapped(toColumns: width)) }
    sections.append(headed("USAGE: ", path.usage.joined(toColumns: width - 7)))
    for list in lists(of: command) where !list.entries.isEmpty {
      sections.append(["\(list.title):"] + list.entries.flatMap { $0.lines(width: width) })
    }
    if !command.examples.isEmpty { sections.append(["EXAMPLES:"] + examples(of: command, width: width)) }
    if !command.subcommands.isEmpty {
      let line = "See '\(path.map(\.name).joined(separator: " ")) help <subcommand>' for detailed help."
      sections.append(line.wrapped(toColumns: width - 2).map { "  " + $0 })
    }
    return sections
  }

  /// Returns the lines with a heading before the first, and the others indented by its length.
  private func headed(_ heading: String, _ lines: [String]) -> [String] {
    let margin = String(repeating: " ", count: heading.count)
    return lines.enumerated().map { index, line in (index == 0 ? heading : margin) + line }
  }

  /// Returns the lists of the page: arguments, options without a section, sections in order of declaration, subcommands.
  private func lists(of command: CommandNode) -> [(title: String, entries: [HelpEntry])] {
    var lists = [("ARGUMENTS", command.positionals.map(HelpEntry.init)), ("OPTIONS", [])]
    for option in path.visibleOptions {
      let isInherited = option.level.map { $0 < path.count - 1 } ?? false
      let title = option.definition.section ?? (isInherited ? "GLOBAL OPTIONS" : "OPTIONS")
      let index = lists.firstIndex { $0.0 == title } ?? lists.count
      if index == lists.count { lists.append((title, [])) }
      lists[index].1.append(HelpEntry(option.definition))
    }
    return lists + [("SUBCOMMANDS", command.subcommands.map { HelpEntry(label: $0.name, text: $0.abstract) })]
  }

  private func examples(of command: CommandNode, width: Int) -> [String] {
    command.examples.flatMap { example in
      ["  " + example.line]
        + (example.abstract.isEmpty ? [] : example.abstract.wrapped(toColumns: width - 6).map { "      " + $0 })
    }
  }
}

/// An entry of a list in help: a label on the left, its description on the right.
struct HelpEntry {
  let label: String
  let text: String

  /// The lines of the entry, with the description beside a short label, otherwise below it.
  func lines(width: Int) -> [String] {
    let column = width >= 60 ? 26 : 8
    guard !text.isEmpty else { return ["  " + label] }
    let lines = text.wrapped(toColumns: width - column).map { String(repeating: " ", count: column) + $0 }
    guard label.displayWidth + 3 <= column else { return ["  " + label] + lines }
    return [("  " + label).padded(toColumns: column) + lines[0].dropFirst(column)] + lines.dropFirst()
  }
}

extension HelpEntry {
  init(_ definition: Definition) {
    let value = definition.kind == .option ? " <\(definition.valueName)>" : ""
    let names = definition.names.joined(separator: ", ") + value
    var notes = definition.choices.isEmpty ? [] : ["values: " + definition.choices.joined(separator: ", ")]
    if let initial = definition.defaultDescription { notes.append("default: " + initial) }
    let note = notes.isEmpty ? [] : ["(\(notes.joined(separator: "; ")))"]
    self.init(
      label: definition.kind == .positional ? definition.label : names,
      text: ([definition.help] + note).filter { !$0.isEmpty }.joined(separator: " "))
  }
}

extension [CommandNode] {
  /// The usage line of the last command, `demo birds [--json] <id> [<files> ...]`, in parts that are not broken.
  var usage: [String] {
    guard let command = last else { return [] }
    let parts = (command.options + command.positionals).map { definition in
      let repeated = definition.isRepeating ? definition.label + " ..." : definition.label
      return definition.isRequired ? repeated : "[\(repeated)]"
    }
    return map(\.name) + parts + (command.isGroup ? ["<subcommand>"] : [])
  }
}
