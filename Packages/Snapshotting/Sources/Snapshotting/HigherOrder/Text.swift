internal import Foundation

extension Snapshotting where Format == String {
  /// Returns a strategy that sorts the lines of the text.
  ///
  /// ```swift
  /// assertSnapshot(of: log, as: .lines.sorted())
  /// ```
  ///
  /// Lines are compared by their bytes. A line end at the end of the text stays there.
  public func sorted() -> Snapshotting {
    mapFormat { text, _ in
      var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let isEnded = lines.last?.isEmpty == true
      if isEnded { lines.removeLast() }
      lines.sort { $0.lexicographicallyPrecedes($1) }
      return lines.map { String(Substring($0)) }.joined(separator: "\n") + (isEnded ? "\n" : "")
    }
  }

  /// Returns a strategy that replaces CR LF and CR by LF, in the snapshot and in the reference.
  ///
  /// For references that a version control system checks out with the line endings of the machine. New references contain LF.
  public func normalisingLineEndings() -> Snapshotting {
    var strategy = mapFormat { text, _ in withLineFeeds(text) }
    let diffing = diffing
    strategy.diffing.diff = { reference, new in diffing.diff(withLineFeeds(reference), withLineFeeds(new)) }
    return strategy
  }
}

private func withLineFeeds(_ text: String) -> String {
  text.replacingOccurrences(of: "\r\n", with: "\n", options: .literal)
    .replacingOccurrences(of: "\r", with: "\n", options: .literal)
}
