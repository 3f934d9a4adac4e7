internal import Parallel

extension Snapshotting {
  /// Returns a strategy that takes each snapshot twice, and fails with the difference if the two do not match.
  ///
  /// It finds the causes of tests that fail by chance: a date, an address, the order of a set. The value is used twice, so a
  /// sequence that can be read only once differs the second time.
  ///
  /// ```swift
  /// assertSnapshot(of: report, as: .lines.checkingDeterminism())
  /// ```
  public func checkingDeterminism() -> Snapshotting {
    var checking = self
    checking.capture = { [capture, diffing] value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        capture(value.value, context).run { first in
          let first = UnsafeTransfer(first)
          capture(value.value, context.with()).run { second in
            if let (difference, attachments) = diffing.diff(first.value, second) {
              context.fail(
                """
                Cannot rely on this snapshot: two snapshots of the same value differ. Make the value deterministic, or \
                redact the part that changes.

                \(difference)
                """, attachments: attachments)
            }
            callback(first.take())
          }
        }
      }
    }
    return checking
  }
}
