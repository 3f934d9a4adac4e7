internal import Parallel

extension Snapshotting {
  /// Returns a strategy that takes snapshots until one matches the reference, or two consecutive ones match.
  ///
  /// Use it for values that become stable at an unknown time. An attempt that fails is repeated, and its failures are
  /// dropped. At the limit, the assertion fails with the failures of the last attempt, or with the difference between
  /// the last two snapshots. The limit extends the deadline of the assertion.
  ///
  /// ```swift
  /// await expectSnapshot(of: webView, as: .image.retrying(every: .milliseconds(100), within: .seconds(3)))
  /// ```
  ///
  /// ``diffing`` compares the snapshots. They are taken on the thread on which ``waiting(for:on:)`` takes them.
  public func retrying<C: Clock>(
    every interval: Duration = .milliseconds(50), within limit: Duration = .seconds(5), on clock: C
  ) -> Snapshotting where C.Duration == Duration {
    var retrying = self
    retrying.capture = { [capture, diffing] value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        context.extendDeadline(by: limit)
        let end = clock.now.advanced(by: limit)

        @Sendable func attempt(after previous: UnsafeTransfer<Format>?) {
          let (attemptContext, log) = context.attempt()
          capture(value.value, attemptContext).run { format in
            let format = UnsafeTransfer(format)
            let isFailed = log.hasFailure
            let change = isFailed ? nil : previous.flatMap { diffing.diff($0.value, format.value) }
            let isStable = previous != nil && change == nil || context.matchesReference?(format.value) == true
            if !isFailed && isStable {
              context.adopt(log)
              return callback(format.take())
            }
            guard clock.now.advanced(by: interval) <= end else {
              context.adopt(log)
              if !isFailed { context.fail(unstableMessage(limit, change?.0), attachments: change?.1 ?? []) }
              return callback(format.take())
            }
            pause(for: interval, on: clock) { attempt(after: isFailed ? nil : format) }
          }
        }
        attempt(after: nil)
      }
    }
    return retrying
  }

  /// Returns a strategy that takes snapshots in real time until one matches the reference, or two consecutive ones match.
  ///
  /// Like ``retrying(every:within:on:)``.
  public func retrying(
    every interval: Duration = .milliseconds(50), within limit: Duration = .seconds(5)
  ) -> Snapshotting {
    retrying(every: interval, within: limit, on: ContinuousClock())
  }
}

private func unstableMessage(_ limit: Duration, _ difference: String?) -> String {
  let shown = difference.map { "\n\nThe last two snapshots differ:\n\n\($0)" } ?? ""
  return """
    Cannot take a stable snapshot: the value was still changing after \(limit). No two consecutive snapshots were equal, \
    and none matched the reference. If it only needs more time, increase `within`.\(shown)
    """
}
