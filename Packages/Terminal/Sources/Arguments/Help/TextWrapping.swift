internal import TextLayout

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
