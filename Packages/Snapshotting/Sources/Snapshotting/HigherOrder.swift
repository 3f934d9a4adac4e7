public import Foundation
internal import Isolation
internal import Parallel

extension Snapshotting {
  /// Returns a strategy that waits before it takes the snapshot, for example for the end of an animation.
  ///
  /// The wait is in seconds, at most a year, and extends the deadline of the assertion.
  ///
  /// ```swift
  /// assertSnapshot(of: controller, as: .waiting(for: 1, on: .image))
  /// ```
  ///
  /// A snapshot that starts on the main thread is taken there. Otherwise it is taken on the cooperative pool. There,
  /// only closures with the isolation of an actor can read its values.
  ///
  /// Source: *Higher-Order Snapshot Testing* (Point-Free, 2019).
  public static func waiting(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    waiting(for: Duration(timeout: duration), on: strategy)
  }

  /// Returns a strategy that waits on a clock, for example a manual one; see ``waiting(for:on:)``.
  public static func waiting<C: Clock>(
    for duration: Duration, on strategy: Snapshotting, clock: C = ContinuousClock()
  ) -> Snapshotting where C.Duration == Duration {
    Snapshotting(strategy.pathExtension, strategy.diffing, namePrefix: strategy.namePrefix) {
      [capture = strategy.capture] value, context, callback in
      let value = UnsafeTransfer(value)
      context.extendDeadline(by: duration)
      pause(for: duration, on: clock) { capture(value.value, context).run(callback) }
    }
  }
}

/// Calls a closure after a pause: on the main queue if the caller is on the main thread, otherwise on the cooperative pool.
func pause<C: Clock>(
  for duration: Duration, on clock: C, _ body: @escaping @Sendable () -> Void
) where C.Duration == Duration {
  let isOnMain = isMainThread()
  Parallel(value: ()).delay(for: duration, on: clock).run { _ in
    if isOnMain { MainThreadWork.shared.add(body) } else { body() }
  }
}

extension Duration {
  /// Creates a duration from a number of seconds between zero and a year; infinity becomes a year, and `nan` zero.
  package init(timeout: TimeInterval) {
    self = timeout < 31_536_000 ? .seconds(max(0, timeout)) : timeout.isNaN ? .zero : .seconds(31_536_000)
  }
}

extension Snapshotting {
  /// Returns a strategy that takes snapshots until one matches the reference.
  ///
  /// Use it for values that become stable at an unknown time. An attempt that fails is repeated. At the limit, the assertion fails with
  /// the failures of the last attempt, or compares the last snapshot. The limit extends the deadline of the assertion.
  ///
  /// Without a reference, for example while one is recorded, the strategy takes snapshots until two consecutive ones match.
  /// At the limit, the assertion fails with the difference between the last two.
  ///
  /// ```swift
  /// await expectSnapshot(of: webView, as: .image.retrying(every: .milliseconds(100), within: .seconds(3)))
  /// ```
  ///
  /// Snapshots are taken on the thread on which ``waiting(for:on:)`` takes them.
  public func retrying<C: Clock>(
    every interval: Duration = .milliseconds(50), within limit: Duration = .seconds(5),
    on clock: C = ContinuousClock()
  ) -> Snapshotting where C.Duration == Duration {
    Snapshotting(pathExtension, diffing, namePrefix: namePrefix) { [capture, diffing] value, context, callback in
      let value = UnsafeTransfer(value)
      context.extendDeadline(by: limit)
      let end = clock.now.advanced(by: limit.sleepable)
      @Sendable func attempt(after previous: UnsafeTransfer<Format>?) {
        let (attemptContext, log) = context.attempt()
        capture(value.value, attemptContext).run { format in
          let format = UnsafeTransfer(format)
          let isFailed = log.hasFailure
          let matches = isFailed ? nil : context.matchesReference?(format.value)
          let change = isFailed || matches != nil ? nil : previous.flatMap { diffing.diff($0.value, format.value) }
          let isStable = matches ?? (previous != nil && change == nil)
          let isOver = clock.now.advanced(by: interval.sleepable) > end
          guard !isFailed && isStable || isOver else {
            return pause(for: interval, on: clock) { attempt(after: isFailed ? nil : format) }
          }
          context.adopt(log)
          // With a reference, the assertion shows how the last snapshot differs from it.
          if !isFailed, !isStable, context.matchesReference == nil {
            context.fail(unstableMessage(limit, change?.0), attachments: change?.1 ?? [])
          }
          callback(format.take())
        }
      }
      attempt(after: nil)
    }
  }
}

private func unstableMessage(_ limit: Duration, _ difference: String?) -> String {
  let shown = difference.map { "\n\nThe last two snapshots differ:\n\n\($0)" } ?? ""
  return """
    Cannot take a stable snapshot: the value was still changing after \(limit). No two consecutive snapshots were equal. \
    If it only needs more time, increase `within`.\(shown)
    """
}

extension Snapshotting {
  /// Returns a strategy that changes the formats of this one.
  ///
  /// - Parameter transform: Returns the changed format, and has no other effect than failures and warnings, which it reports through
  ///   the context. Called once for each run, on the thread that delivers the format, and again for each comparison of this strategy
  ///   with the reference.
  ///
  /// ```swift
  /// let calm = SimplySnapshotting.lines.mapFormat { text, _ in text.replacing("!", with: ".") }
  /// ```
  public func mapFormat(
    _ transform: @escaping @Sendable (_ format: sending Format, _ context: SnapshotContext<Format>) -> Format
  ) -> Snapshotting {
    var strategy = self
    strategy.capture = { [capture] value, context in
      let matches = context.matchesReference
      // The inner strategy compares formats after the transformation.
      let inner = context.with(format: Format.self) { format in
        matches?(transform(UnsafeTransfer(format).take(), SnapshotContext())) ?? false
      }
      return capture(value, matches == nil ? context.with() : inner).map { transform($0, context) }
    }
    return strategy
  }
}

extension Snapshotting {
  /// Returns a strategy with a prefix in the names of its reference files.
  ///
  /// `assertSnapshot(of: page, as: .image.named("dark"))` has the file `page.dark-1.png`, and with `named: "wide"` it has
  /// `page.dark-wide.png`. Several prefixes are joined, the last one first.
  public func named(_ prefix: String) -> Snapshotting {
    var strategy = self
    strategy.namePrefix = namePrefix.map { "\(prefix)-\($0)" } ?? prefix
    return strategy
  }
}

/// A rule that replaces the parts of a text that change from run to run.
///
/// ```swift
/// assertSnapshot(of: log, as: .lines.redacting(.uuids, .dates))
/// assertSnapshot(of: log, as: .lines.redacting(Redaction("order") { $0.replacing(/#\d+/, with: "#<number>") }))
/// ```
public struct Redaction: Sendable {
  public let name: String

  /// Returns the changed text.
  public let apply: @Sendable (String) -> String

  public init(_ name: String, apply: @escaping @Sendable (_ text: String) -> String) {
    self.name = name
    self.apply = apply
  }

  /// Replaces UUIDs by `<UUID>`.
  public static let uuids = fixed(
    "UUID", #"(?<![0-9A-Fa-f-])[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f-])"#)

  /// Replaces dates with a time by `<date>`: ISO 8601, as in `2018-12-17T10:00:00.25+01:00`, and the description of `Date`, as in
  /// `2018-12-17 10:00:00 +0000`.
  public static let dates = fixed(
    "date", #"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}|UTC)\b)?"#)

  /// Replaces addresses such as `0x00007f8a4c004a10` by `<pointer>`.
  public static let pointers = fixed("pointer", #"\b0x[0-9A-Fa-f]{6,16}\b"#)

  private static func fixed(_ name: String, _ pattern: String) -> Redaction {
    Redaction("\(name)s") { $0.replacingOccurrences(of: pattern, with: "<\(name)>", options: .regularExpression) }
  }
}

extension Snapshotting where Format == String {
  /// Returns a strategy that replaces the parts of the text that change from run to run.
  ///
  /// - Parameter rules: The rules, in the order of their application. A rule that changes nothing causes a warning.
  ///
  /// ```swift
  /// assertSnapshot(of: log, as: .lines.redacting(.uuids, .dates))
  /// ```
  public func redacting(_ rules: Redaction...) -> Snapshotting {
    mapFormat { text, context in
      rules.reduce(text) { text, rule in
        let redacted = rule.apply(text)
        if redacted.utf8.elementsEqual(text.utf8) {
          context.warn(
            "The redaction rule for \(rule.name) changed nothing. Remove the rule, or find out why nothing matches.")
        }
        return redacted
      }
    }
  }
}

/// Closures for the main thread: the main queue calls them, or a synchronous assertion that blocks this thread.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class MainThreadWork: @unchecked Sendable {
  package static let shared = MainThreadWork()

  private let lock = NSLock()
  private var pending: [@Sendable () -> Void] = []

  func add(_ body: @escaping @Sendable () -> Void) {
    lock.withLock { pending.append(body) }
    DispatchQueue.main.async { self.run() }
  }

  package var isPending: Bool { lock.withLock { !pending.isEmpty } }

  /// Call it on the main thread.
  package func run() {
    while let next = lock.withLock({ pending.isEmpty ? nil : pending.removeFirst() }) { next() }
  }
}
