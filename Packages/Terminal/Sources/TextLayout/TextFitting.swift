/// The alignment of text within its columns.
public enum TextAlignment: Hashable, Sendable, CaseIterable {
  /// At the start, with padding after it.
  case left
  /// At the end, with padding before it.
  case right
}

extension StringProtocol {
  /// Returns this text on at most `columns` columns, with its end replaced by `ellipsis` when it does not fit.
  ///
  /// Characters are never split, so the result can be a column short of the limit. Characters of width zero (control
  /// characters, newlines) are removed: the result is one line without escape sequences.
  ///
  /// ```swift
  /// "Atlantic puffin".truncated(toColumns: 9)  // "Atlantic…"
  /// ```
  public func truncated(toColumns columns: Int, ellipsis: Character = "…") -> String {
    guard columns > 0 else { return "" }
    let text = printable
    guard text.displayWidth > columns else { return text }
    let mark = ellipsis.displayWidth
    guard mark > 0, mark <= columns else { return text.prefix(fitting: columns) }
    return text.prefix(fitting: columns - mark) + String(ellipsis)
  }

  /// Returns this text padded with spaces to exactly `columns` columns, or without padding when it is at least as wide.
  public func padded(toColumns columns: Int, alignment: TextAlignment = .left) -> String {
    let text = printable
    let missing = columns - text.displayWidth
    guard missing > 0 else { return text }
    let padding = String(repeating: " ", count: missing)
    return alignment == .left ? text + padding : padding + text
  }

  /// Returns this text truncated and padded to exactly `columns` columns; "" when `columns` is zero or less.
  public func fitted(toColumns columns: Int, alignment: TextAlignment = .left) -> String {
    truncated(toColumns: columns).padded(toColumns: Swift.max(columns, 0), alignment: alignment)
  }

  /// The text without characters of width zero, including control characters.
  package var printable: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(self) }
    return String(filter { $0.displayWidth > 0 })
  }

  private func prefix(fitting columns: Int) -> String {
    var remaining = columns
    return String(
      prefix { character in
        remaining -= character.displayWidth
        return remaining >= 0
      })
  }
}
