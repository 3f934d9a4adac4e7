internal import Parallel

extension Snapshotting {
  /// A strategy that takes each snapshot twice, and fails with the difference when the two do not match.
  ///
  /// It finds what would make a test fail now and then: a date, an address, the order of a set. The value is used twice, so a
  /// sequence that can be read only once is different the second time.
  ///
  /// ```swift
  /// assertSnapshot(of: report, as: .lines.checkingDeterminism())
  /// ```
  public func checkingDeterminism() -> Snapshotting {
    var checking = self
    checking.replaceCapture { [capture, diffing] value, context in
      let value = Unshared(value)
      return Parallel { callback in
        capture(value.value, context).run { first in
          let first = Unshared(first)
          capture(value.value, context.with()).run { second in
            if let (difference, attachments) = diffing.diff(first.value, second) {
              context.fail(
                """
                Two snapshots of one value are different, so this test would fail now and then. Find out what changes \
                between them, or redact it.

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
