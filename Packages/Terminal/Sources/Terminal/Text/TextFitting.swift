/// Where text stands in the columns it is given.
public enum TextAlignment: Hashable, Sendable, CaseIterable {
  /// At the start, padded after it.
  case left
  /// In the middle; the odd column goes after it.
  case center
  /// At the end, padded before it.
  case right
}

extension StringProtocol {
  /// This text on at most `columns` columns, its end replaced by `ellipsis` when it does not fit.
  ///
  /// Characters are never split, so the result may be a column short of the limit when a wide one would cross it.
  /// Characters of no width (control characters, newlines) are dropped: the result is one line and holds no escape
  /// sequence. A limit below the ellipsis' own width gives the text without one, cut; a limit of zero or less gives "".
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

  /// This text padded with spaces to exactly `columns` columns, or unchanged when it is already as wide or wider.
  ///
  /// Characters of no width are dropped, as `truncated(toColumns:)` does.
  public func padded(toColumns columns: Int, alignment: TextAlignment = .left) -> String {
    let text = printable
    let missing = columns - text.displayWidth
    guard missing > 0 else { return text }
    let before =
      switch alignment {
      case .left: 0
      case .center: missing / 2
      case .right: missing
      }
    return String(repeating: " ", count: before) + text + String(repeating: " ", count: missing - before)
  }

  /// This text truncated and padded to exactly `columns` columns; "" when `columns` is zero or less.
  public func fitted(toColumns columns: Int, alignment: TextAlignment = .left) -> String {
    truncated(toColumns: columns).padded(toColumns: Swift.max(columns, 0), alignment: alignment)
  }

  /// This text without the characters that take no column: no control character survives.
  var printable: String {
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
