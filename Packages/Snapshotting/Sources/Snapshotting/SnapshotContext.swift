internal import Foundation

/// What a strategy can ask and tell while it takes one snapshot, beside the format that it answers with.
///
/// An assertion makes one for each snapshot. Most strategies have no use for it; it is for those that transform others.
///
/// ```swift
/// extension Snapshotting where Format == String {
///   func notEmpty() -> Snapshotting {
///     var strategy = self
///     strategy.capture = { value, context in
///       self.capture(value, context).map { text in
///         if text.isEmpty { context.fail("There is nothing in this snapshot.") }
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

  /// Whether a format is what the reference has; `nil` when there is no reference to compare with.
  ///
  /// It compares with the assertion's ``Diffing``, and reads the reference each time.
  public let matchesReference: (@Sendable (Format) -> Bool)?

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - log: Where it is kept what the strategy tells.
  ///   - matchesReference: Whether a format is what the reference has.
  public init(log: SnapshotLog = SnapshotLog(), matchesReference: (@Sendable (Format) -> Bool)? = nil) {
    self.log = log
    self.matchesReference = matchesReference
  }

  /// Makes the assertion fail, whatever the format is.
  ///
  /// The strategy still calls back, with the best format that it has, so that a run outside of an assertion ends, too.
  ///
  /// - Parameters:
  ///   - message: What went wrong, and what to do about it.
  ///   - attachments: Files to look at.
  public func fail(_ message: String, attachments: [SnapshotAttachment] = []) {
    log.add(SnapshotLog.Entry(kind: .failure, message: message, attachments: attachments))
  }

  /// Tells the person who reads the test's output something that is no failure.
  ///
  /// - Parameter message: What is odd, and what to do about it.
  public func warn(_ message: String) {
    log.add(SnapshotLog.Entry(kind: .warning, message: message, attachments: []))
  }

  /// Gives the snapshot more time, because the strategy is about to wait that long.
  ///
  /// - Parameter duration: How much longer; added to what was asked for before.
  public func extendDeadline(by duration: Duration) {
    log.extendDeadline(by: duration)
  }

  /// A context for a strategy of another format, which tells the same assertion.
  ///
  /// - Parameters:
  ///   - format: The other format.
  ///   - matchesReference: Whether a value of it is what the reference has, if that can be said.
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

  /// Copies the entries of an attempt's log to this context's log.
  func adopt(_ attempt: SnapshotLog) {
    attempt.entries.forEach(log.add)
  }
}

/// What a strategy told while it took one snapshot.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
public final class SnapshotLog: @unchecked Sendable {
  /// Something that a strategy said.
  public struct Entry: Sendable, Hashable {
    /// What it means for the assertion.
    public enum Kind: Sendable, Hashable {
      /// The assertion fails.
      case failure
      /// The assertion is not affected.
      case warning
    }

    /// What it means for the assertion.
    public let kind: Kind
    /// What was said.
    public let message: String
    /// Files to look at.
    public let attachments: [SnapshotAttachment]
  }

  private var told: [Entry] = []
  private var extensions = Duration.zero
  private let parent: SnapshotLog?

  /// Creates an empty log.
  public init() { parent = nil }

  /// Creates an empty log that passes deadline extensions on to another log.
  init(extending parent: SnapshotLog) { self.parent = parent }

  /// What was said so far, in order.
  public var entries: [Entry] { lock.withLock { told } }

  /// How much more time was asked for so far.
  public var deadlineExtension: Duration { lock.withLock { extensions } }

  func add(_ entry: Entry) {
    lock.withLock { told.append(entry) }
  }

  func extendDeadline(by duration: Duration) {
    lock.withLock { extensions += max(.zero, duration) }
    parent?.extendDeadline(by: duration)
  }
}

/// One for all logs: each assertion makes a log, and hardly any is written to.
private let lock = NSLock()
