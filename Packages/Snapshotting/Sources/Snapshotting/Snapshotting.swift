internal import Foundation
internal import Isolation
public import Parallel

/// A strategy that transforms a value into a format that can be written to a file and compared.
///
/// ```swift
/// let strategy = Snapshotting<String, String>.lines.pullback { (bird: Bird) in bird.name }
/// strategy.snapshot(bird).run { print($0) }
/// ```
///
/// Derive new strategies with ``pullback(_:)``, ``asyncPullback(_:)``, or a function that takes a strategy and returns one.
///
/// A strategy is `Sendable`, and its values need not be. A closure that was formed on an actor runs on that actor, so a strategy for a
/// class of the main actor can read its members. Other closures run on the thread of the snapshot.
///
/// Nothing happens until the parallel that ``snapshot`` returns is run. Each run takes a new snapshot.
///
/// Source: *Async Functional Refactoring* (Point-Free, 2018).
public struct Snapshotting<Value, Format>: Sendable {
  /// A function that takes a snapshot, with a context for failures and warnings.
  public typealias Capture = @Sendable (Value, SnapshotContext<Format>) -> Parallel<Format>

  /// The path extension of reference files, without the dot; `nil` for none.
  public var pathExtension: String?

  public var diffing: Diffing<Format>

  /// The prefix of the names of reference files; see ``named(_:)``.
  public var namePrefix: String?

  /// Takes a snapshot for an assertion, or for a derived strategy, which passes its context on.
  ///
  /// Replace it to derive a strategy that keeps everything else:
  ///
  /// ```swift
  /// var strategy = self
  /// strategy.capture = { value, context in self.capture(prepared(value), context) }
  /// return strategy
  /// ```
  ///
  /// Called from any thread.
  public var capture: Capture

  /// Takes a snapshot of a value.
  ///
  /// Failures and warnings of the strategy are dropped; ``capture`` reports them.
  public var snapshot: @Sendable (Value) -> Parallel<Format> {
    get { { [capture] value in capture(value, SnapshotContext()) } }
    set { capture = { value, _ in newValue(value) } }
  }

  /// Creates an asynchronous strategy that can report failures and warnings.
  ///
  /// `capture` is called once for each snapshot, on its actor. The parallel that it returns also runs there.
  ///
  /// ```swift
  /// Snapshotting<Page, String>(pathExtension: "txt", diffing: .lines) { page, context in
  ///   if page.text.isEmpty { context.warn("The page is empty.") }
  ///   return Parallel(value: page.text)
  /// }
  /// ```
  @preconcurrency
  public init(
    pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil,
    @_inheritActorContext capture:
      @escaping @Sendable @isolated(any) (_ value: Value, _ context: SnapshotContext<Format>) -> Parallel<Format>
  ) {
    let raw = unsafeBitCast(IsolatedCapture(function: capture), to: ErasedCapture.self).function
    self.init(pathExtension, diffing, namePrefix: namePrefix, on: capture.isolation) { value, context, callback in
      raw(value, context).run(callback)
    }
  }

  // Like `erasingIsolation`, for a function with two parameters.
  private struct IsolatedCapture {
    let function: @Sendable @isolated(any) (Value, SnapshotContext<Format>) -> Parallel<Format>
  }
  private struct ErasedCapture { let function: Capture }

  /// - Parameter home: The actor on which the function runs; `nil` for the thread of the snapshot.
  init(
    _ pathExtension: String?, _ diffing: Diffing<Format>, namePrefix: String? = nil, on home: (any Actor)? = nil,
    _ take: @escaping @Sendable (Value, SnapshotContext<Format>, @escaping Parallel<Format>.Callback) -> Void
  ) {
    self.pathExtension = pathExtension
    self.diffing = diffing
    self.namePrefix = namePrefix
    capture = { value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        Isolation.run(on: home) { take(value.value, context, callback) }
      }
    }
  }
}

extension Snapshotting {
  /// Creates an asynchronous strategy.
  ///
  /// `asyncSnapshot` is called once for each run, on its actor. The parallel that it returns also runs there.
  @preconcurrency
  public init(
    pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil,
    @_inheritActorContext asyncSnapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Parallel<Format>
  ) {
    let raw = erasingIsolation(asyncSnapshot)
    self.init(pathExtension, diffing, namePrefix: namePrefix, on: asyncSnapshot.isolation) { value, _, callback in
      raw(value).run(callback)
    }
  }

  /// Creates a synchronous strategy.
  ///
  /// `snapshot` is called once for each run, on its actor. Nothing else may hold the format that it returns.
  ///
  /// ```swift
  /// Snapshotting<Bird, String>(pathExtension: "txt", diffing: .lines) { bird in bird.name }
  /// ```
  @preconcurrency
  public init(
    pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil,
    @_inheritActorContext snapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Format
  ) {
    let raw = erasingIsolation(snapshot)
    self.init(pathExtension, diffing, namePrefix: namePrefix, on: snapshot.isolation) { value, _, callback in
      callback(UnsafeTransfer(raw(value)).take())
    }
  }

  /// Creates a synchronous strategy, with the order of arguments in *Async Functional Refactoring*.
  @preconcurrency
  public init(
    diffing: Diffing<Format>, pathExtension: String?,
    @_inheritActorContext snapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Format
  ) {
    self.init(pathExtension: pathExtension, diffing: diffing, snapshot: snapshot)
  }

  /// Creates an asynchronous strategy, with the order of arguments in *Async Functional Refactoring*.
  @preconcurrency
  public init(
    diffing: Diffing<Format>, pathExtension: String?,
    @_inheritActorContext snapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Parallel<Format>
  ) {
    self.init(pathExtension: pathExtension, diffing: diffing, asyncSnapshot: snapshot)
  }
}

/// A strategy whose values are formats.
public typealias SimplySnapshotting<Format> = Snapshotting<Format, Format>

extension Snapshotting where Value == Format {
  /// Creates a strategy that returns each value unchanged.
  public init(pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil) {
    self.init(pathExtension, diffing, namePrefix: namePrefix) { value, _, callback in
      callback(UnsafeTransfer(value).take())
    }
  }
}

extension Snapshotting {
  /// Returns a strategy for values that contain or create a value of this strategy.
  ///
  /// - Parameter transform: Called once for each run, on the actor of its declaration, or on the thread that runs the
  ///   snapshot. This strategy continues there.
  ///
  /// ```swift
  /// @MainActor func testTitle() {
  ///   assertSnapshot(of: screen, as: SimplySnapshotting.lines.pullback { $0.title })
  /// }
  /// ```
  ///
  /// Source: *Async Functional Refactoring* (Point-Free, 2018).
  @preconcurrency
  public func pullback<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (_ newValue: NewValue) -> Value
  ) -> Snapshotting<NewValue, Format> {
    let raw = erasingIsolation(transform)
    return Snapshotting<NewValue, Format>(
      pathExtension, diffing, namePrefix: namePrefix, on: transform.isolation
    ) { [capture] newValue, context, callback in
      capture(raw(newValue), context).run(callback)
    }
  }

  /// Returns a strategy for values that create a value of this strategy asynchronously.
  ///
  /// - Parameter transform: Called once for each run, as that of ``pullback(_:)``. Its parallel runs there. This
  ///   strategy continues on the thread that delivers the value.
  ///
  /// ```swift
  /// let page = Snapshotting<Image, Image>.image.asyncPullback { (webView: WebView) in
  ///   Parallel { callback in webView.takeSnapshot(callback) }
  /// }
  /// ```
  ///
  /// Source: *Async Functional Refactoring* (Point-Free, 2018).
  @preconcurrency
  public func asyncPullback<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (_ newValue: NewValue) -> Parallel<Value>
  ) -> Snapshotting<NewValue, Format> {
    let raw = erasingIsolation(transform)
    return Snapshotting<NewValue, Format>(
      pathExtension, diffing, namePrefix: namePrefix, on: transform.isolation
    ) { [capture] newValue, context, callback in
      raw(newValue).flatMap { capture($0, context) }.run(callback)
    }
  }
}

/// `@unchecked Sendable`: the caller of a strategy lends the value to it, and its closures use it one after the other.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package func take() -> sending Value {
    // The documentation of the strategies requires that the result of a closure has no other owner.
    nonisolated(unsafe) let value = value
    return value
  }
}

/// The connection between a strategy and its assertion during one snapshot.
///
/// A strategy reports failures and warnings, extends the deadline, and compares formats with the reference.
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
  /// It uses the assertion's ``Diffing``, and decodes the reference in each call.
  public let matchesReference: (@Sendable (Format) -> Bool)?

  /// Creates a context that drops failures and warnings.
  public init() { self.init(log: SnapshotLog()) }

  package init(log: SnapshotLog, matchesReference: (@Sendable (Format) -> Bool)? = nil) {
    self.log = log
    self.matchesReference = matchesReference
  }

  /// Makes the assertion fail; the strategy must still call back.
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

  /// The timeout of the assertion without extensions; `nil` outside of an assertion.
  package var timeout: Duration? { log.timeout }

  /// Returns a context of the same assertion for a strategy with a different format.
  public func with<NewFormat>(
    format: NewFormat.Type = NewFormat.self, matchesReference: (@Sendable (NewFormat) -> Bool)? = nil
  ) -> SnapshotContext<NewFormat> {
    SnapshotContext<NewFormat>(log: log, matchesReference: matchesReference)
  }

  /// Returns a context for one of several attempts; its entries reach this context's log with ``adopt(_:)``.
  func attempt() -> (context: SnapshotContext, log: SnapshotLog) {
    let log = SnapshotLog(extending: log)
    return (SnapshotContext(log: log, matchesReference: matchesReference), log)
  }

  func adopt(_ attempt: SnapshotLog) {
    for entry in attempt.entries { log.add(entry) }
  }
}

/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class SnapshotLog: @unchecked Sendable {
  package struct Entry: Sendable, Hashable {
    package enum Kind: Sendable { case failure, warning }

    package let kind: Kind
    package let message: String
    package let attachments: [SnapshotAttachment]
  }

  private var recorded: [Entry] = []
  private var extensions = Duration.zero
  private var limit: Duration?
  private let parent: SnapshotLog?

  package convenience init() { self.init(extending: nil) }

  /// Creates an empty log that passes deadline extensions on to another log.
  init(extending parent: SnapshotLog?) { self.parent = parent }

  /// The timeout of the assertion, to which the extensions are added.
  package var timeout: Duration? {
    get { parent?.timeout ?? lock.withLock { limit } }
    set { lock.withLock { limit = newValue } }
  }

  package var entries: [Entry] { lock.withLock { recorded } }

  var hasFailure: Bool { entries.contains { $0.kind == .failure } }

  package var deadlineExtension: Duration { lock.withLock { extensions } }

  func add(_ entry: Entry) {
    lock.withLock { recorded.append(entry) }
  }

  func extendDeadline(by duration: Duration) {
    lock.withLock { extensions += duration.sleepable }
    parent?.extendDeadline(by: duration)
  }
}

/// The lock of all logs, because few are written to.
private let lock = NSLock()
