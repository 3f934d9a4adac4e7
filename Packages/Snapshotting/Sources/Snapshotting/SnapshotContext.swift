internal import Foundation

/// The connection between a strategy and its assertion during one snapshot.
///
/// A strategy reports failures and warnings, extends the deadline, and compares formats with the reference. An assertion creates
/// one context for each snapshot. Most strategies do not need it.
///
/// ```swift
/// extension Snapshotting where Format == String {
///   func notEmpty() -> Snapshotting {
///     var strategy = self
///     strategy.capture = { value, context in
///       self.capture(value, context).map { text in
///         if text.isEmpty { context.fail("Cannot use an empty snapshot: the value has no text. Check the value.") }
///         return text
///       }
///     }
///     return strategy
///   }
/// }
/// ```
///
/// All members may be used from any thread.
public struct SnapshotContext<Format>: Sendable {
  private let log: SnapshotLog

  /// Returns whether a format matches the reference; `nil` if no reference is compared.
  ///
  /// It uses the assertion's ``Diffing``, and reads the reference in each call.
  public let matchesReference: (@Sendable (Format) -> Bool)?

  /// Creates a context that is not connected to an assertion, and drops failures and warnings.
  public init() { self.init(log: SnapshotLog()) }

  package init(log: SnapshotLog, matchesReference: (@Sendable (Format) -> Bool)? = nil) {
    self.log = log
    self.matchesReference = matchesReference
  }

  /// Makes the assertion fail, for any format.
  ///
  /// The strategy must still call back, so that a run outside of an assertion also ends.
  public func fail(_ message: String, attachments: [SnapshotAttachment] = []) {
    log.add(SnapshotLog.Entry(kind: .failure, message: message, attachments: attachments))
  }

  /// Reports a warning, which does not fail the assertion.
  public func warn(_ message: String) {
    log.add(SnapshotLog.Entry(kind: .warning, message: message, attachments: []))
  }

  /// Extends the deadline of the snapshot, before the strategy waits; extensions add up.
  public func extendDeadline(by duration: Duration) {
    log.extendDeadline(by: duration)
  }

  /// Returns a context of the same assertion for a strategy with a different format.
  public func with<NewFormat>(
    format: NewFormat.Type = NewFormat.self, matchesReference: (@Sendable (NewFormat) -> Bool)? = nil
  ) -> SnapshotContext<NewFormat> {
    SnapshotContext<NewFormat>(log: log, matchesReference: matchesReference)
  }
}

extension SnapshotContext {
  /// Returns a context for one of several attempts at a snapshot, with a separate log.
  ///
  /// Deadline extensions reach this context's log immediately. Entries reach it with ``adopt(_:)``.
  func attempt() -> (context: SnapshotContext, log: SnapshotLog) {
    let log = SnapshotLog(extending: log)
    return (SnapshotContext(log: log, matchesReference: matchesReference), log)
  }

  /// Copies the entries of an attempt's log to this context's log, without entries that another log has.
  func adopt(_ attempt: SnapshotLog, except other: SnapshotLog? = nil) {
    let known = other?.entries ?? []
    for entry in attempt.entries where !known.contains(where: { $0.kind == entry.kind && $0.message == entry.message })
    {
      log.add(entry)
    }
  }
}

/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class SnapshotLog: @unchecked Sendable {
  package struct Entry: Sendable {
    package enum Kind: Sendable, Hashable {
      case failure
      case warning
    }

    package let kind: Kind
    package let message: String
    package let attachments: [SnapshotAttachment]
  }

  private var recorded: [Entry] = []
  private var extensions = Duration.zero
  private let parent: SnapshotLog?

  package init() { parent = nil }

  /// Creates an empty log that passes deadline extensions on to another log.
  init(extending parent: SnapshotLog) { self.parent = parent }

  package var entries: [Entry] { lock.withLock { recorded } }

  var hasFailure: Bool { entries.contains { $0.kind == .failure } }

  package var deadlineExtension: Duration { lock.withLock { extensions } }

  func add(_ entry: Entry) {
    lock.withLock { recorded.append(entry) }
  }

  func extendDeadline(by duration: Duration) {
    lock.withLock { extensions += max(.zero, duration) }
    parent?.extendDeadline(by: duration)
  }
}

/// The lock of all logs.
///
/// Each assertion creates a log, and few logs are written to.
private let lock = NSLock()
