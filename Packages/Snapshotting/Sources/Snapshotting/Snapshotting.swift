internal import Isolation
public import Parallel

/// A strategy: how a value is turned into a format that can be kept in a file and compared.
///
/// ```swift
/// let strategy = Snapshotting<String, String>.lines.pullback { (bird: Bird) in bird.name }
/// strategy.snapshot(bird).run { print($0) }
/// ```
///
/// A strategy is a value, and the way to a new one is to transform one that there is: ``pullback(_:)``,
/// ``asyncPullback(_:)``, or a function that takes a strategy and returns one.
///
/// **Sendable.** A strategy may go anywhere; the values that it takes need not be `Sendable`. A closure that was written on
/// an actor runs on that actor, so a strategy for a class of the main actor may read its members. One that was written on
/// none runs wherever the snapshot is taken.
///
/// **Cold.** Nothing happens until the parallel that ``snapshot`` returns is run, and each run takes the snapshot again.
///
/// Source: *Async Functional Refactoring*.
public struct Snapshotting<Value, Format>: Sendable {
  /// A function that takes a snapshot, and has a context to tell about what the format alone cannot say.
  public typealias Capture = @Sendable (Value, SnapshotContext<Format>) -> Parallel<Format>

  /// The path extension of reference files, without the dot; `nil` for none.
  public var pathExtension: String?

  /// How two formats are compared, and how one is written and read.
  public var diffing: Diffing<Format>

  /// What the names of reference files begin with, to tell them from those of the same value shown in another way.
  ///
  /// See ``named(_:)``.
  public var namePrefix: String?

  /// Takes a snapshot for an assertion, or for a strategy that is made from this one.
  ///
  /// A strategy that is built on another one hands its context on, so that what the other one has to say arrives.
  ///
  /// Replace it to derive a strategy that keeps everything else, also ``namePrefix``:
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
  /// The value is used on the thread that runs the parallel and on the actors of the strategy's closures. Whatever the
  /// strategy has to tell beside the format (see ``SnapshotContext``) is lost here; use ``capture`` to get it.
  public var snapshot: @Sendable (Value) -> Parallel<Format> {
    get { { [capture] value in capture(value, SnapshotContext()) } }
    set { capture = { value, _ in newValue(value) } }
  }

  /// Creates a strategy that may need time, and may have more to tell than the format.
  ///
  /// - Parameters:
  ///   - pathExtension: The path extension of reference files, without the dot; `nil` for none.
  ///   - diffing: How formats are compared, written and read.
  ///   - namePrefix: The prefix of reference file names, for a strategy that is derived from another one; see ``named(_:)``.
  ///   - capture: Takes a snapshot. Called once for each, on the actor that it was formed on; the parallel that it returns
  ///     is run there, too.
  ///
  /// ```swift
  /// Snapshotting(pathExtension: "txt", diffing: .lines) { (page: Page, context) in
  ///   if page.isEmpty { context.warn("The page is empty.") }
  ///   return page.text
  /// }
  /// ```
  @preconcurrency
  public init(
    pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil,
    @_inheritActorContext capture:
      @escaping @Sendable @isolated(any) (_ value: Value, _ context: SnapshotContext<Format>) -> Parallel<Format>
  ) {
    self.pathExtension = pathExtension
    self.diffing = diffing
    self.namePrefix = namePrefix
    let home = capture.isolation
    let raw = unsafeBitCast(IsolatedCapture(function: capture), to: ErasedCapture.self).function
    self.capture = { value, context in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        Isolation.run(on: home) { raw(value.value, context).run(callback) }
      }
    }
  }

  // As `erasingIsolation`, for a function of two parameters.
  private struct IsolatedCapture {
    let function: @Sendable @isolated(any) (Value, SnapshotContext<Format>) -> Parallel<Format>
  }
  private struct ErasedCapture { let function: Capture }

  /// Creates a strategy from another one's parts.
  init(
    copying pathExtension: String?, _ diffing: Diffing<Format>, namePrefix: String? = nil, capture: @escaping Capture
  ) {
    self.pathExtension = pathExtension
    self.diffing = diffing
    self.namePrefix = namePrefix
    self.capture = capture
  }
}

extension Snapshotting {
  /// Creates a strategy that may need time.
  ///
  /// - Parameters:
  ///   - pathExtension: The path extension of reference files, without the dot; `nil` for none.
  ///   - diffing: How formats are compared, written and read.
  ///   - namePrefix: The prefix of reference file names, for a strategy that is derived from another one; see ``named(_:)``.
  ///   - asyncSnapshot: Takes a snapshot. Called once for each run, on the actor that it was formed on; the parallel that it
  ///     returns is run there, too.
  @preconcurrency
  public init(
    pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil,
    @_inheritActorContext asyncSnapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Parallel<Format>
  ) {
    let home = asyncSnapshot.isolation
    let raw = erasingIsolation(asyncSnapshot)
    self.init(copying: pathExtension, diffing, namePrefix: namePrefix) { value, _ in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        Isolation.run(on: home) { raw(value.value).run(callback) }
      }
    }
  }

  /// Creates a strategy whose snapshots are there at once.
  ///
  /// - Parameters:
  ///   - pathExtension: The path extension of reference files, without the dot; `nil` for none.
  ///   - diffing: How formats are compared, written and read.
  ///   - namePrefix: The prefix of reference file names, for a strategy that is derived from another one; see ``named(_:)``.
  ///   - snapshot: Takes a snapshot. Called once for each run, on the actor that it was formed on. It returns a format that
  ///     nobody else holds, since that may go to another thread.
  ///
  /// ```swift
  /// Snapshotting<Bird, String>(pathExtension: "txt", diffing: .lines) { bird in bird.name }
  /// ```
  @preconcurrency
  public init(
    pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil,
    @_inheritActorContext snapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Format
  ) {
    let home = snapshot.isolation
    let raw = erasingIsolation(snapshot)
    self.init(copying: pathExtension, diffing, namePrefix: namePrefix) { value, _ in
      let value = UnsafeTransfer(value)
      return Parallel { callback in
        Isolation.run(on: home) { callback(UnsafeTransfer(raw(value.value)).take()) }
      }
    }
  }

  /// Creates a strategy whose snapshots are there at once, spelled as in the episode.
  ///
  /// The same as ``init(pathExtension:diffing:namePrefix:snapshot:)``.
  @preconcurrency
  public init(
    diffing: Diffing<Format>, pathExtension: String?,
    @_inheritActorContext snapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Format
  ) {
    self.init(pathExtension: pathExtension, diffing: diffing, snapshot: snapshot)
  }

  /// Creates a strategy that may need time, spelled as in the episode.
  ///
  /// The same as ``init(pathExtension:diffing:namePrefix:asyncSnapshot:)``.
  @preconcurrency
  public init(
    diffing: Diffing<Format>, pathExtension: String?,
    @_inheritActorContext snapshot: @escaping @Sendable @isolated(any) (_ value: Value) -> Parallel<Format>
  ) {
    self.init(pathExtension: pathExtension, diffing: diffing, asyncSnapshot: snapshot)
  }
}

/// A strategy for values that are their own format.
public typealias SimplySnapshotting<Format> = Snapshotting<Format, Format>

extension Snapshotting where Value == Format {
  /// Creates a strategy that takes a value as it is.
  ///
  /// - Parameters:
  ///   - pathExtension: The path extension of reference files, without the dot; `nil` for none.
  ///   - diffing: How formats are compared, written and read.
  ///   - namePrefix: The prefix of reference file names, for a strategy that is derived from another one; see ``named(_:)``.
  public init(pathExtension: String?, diffing: Diffing<Format>, namePrefix: String? = nil) {
    self.init(copying: pathExtension, diffing, namePrefix: namePrefix) { value, _ in
      let value = UnsafeTransfer(value)
      return Parallel { callback in callback(value.take()) }
    }
  }
}
