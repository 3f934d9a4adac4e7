internal import Parallel

extension Snapshotting {
  /// Returns a strategy that takes each snapshot twice, and fails with the difference if the two do not match.
  ///
  /// It finds the causes of tests that fail by chance: a date, an address, the order of a set. The value is used twice, so a
  /// sequence that can be read only once differs the second time. Warnings and failures of both snapshots are reported once.
  ///
  /// ```swift
  /// assertSnapshot(of: report, as: Snapshotting<Report, String>.readable.checkingDeterminism())
  /// ```
  public func checkingDeterminism() -> Snapshotting {
    var checking = self
    checking.capture = { [capture, diffing] value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        let (firstContext, firstLog) = context.attempt()
        let (secondContext, secondLog) = context.attempt()
        capture(value.value, firstContext).run { first in
          let first = UnsafeTransfer(first)
          capture(value.value, secondContext).run { second in
            context.adopt(firstLog)
            context.adopt(secondLog, except: firstLog)
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
