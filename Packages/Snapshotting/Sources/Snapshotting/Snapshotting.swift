internal import Isolation
public import Parallel

/// A strategy that transforms a value into a format that can be written to a file and compared.
///
/// ```swift
/// let strategy = Snapshotting<String, String>.lines.pullback { (bird: Bird) in bird.name }
/// strategy.snapshot(bird).run { print($0) }
/// ```
///
/// A strategy is a value. New strategies are transformations of existing ones: ``pullback(_:)``, ``asyncPullback(_:)``, or a
/// function that takes a strategy and returns one.
///
/// **Sendable.** A strategy is `Sendable`, and its values need not be. A closure that was formed on an actor runs on that actor,
/// so a strategy for a class of the main actor can read its members. Other closures run on the thread of the snapshot.
///
/// **Cold.** Nothing happens until the parallel that ``snapshot`` returns is run. Each run takes a new snapshot.
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

  /// Takes a snapshot for an assertion, or for a derived strategy.
  ///
  /// A derived strategy passes its context to the original one, so that all failures and warnings reach the assertion.
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
  /// The value is used on the thread that runs the parallel and on the actors of the strategy's closures. Failures and
  /// warnings of the strategy (see ``SnapshotContext``) are dropped; ``capture`` reports them.
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
  /// `snapshot` is called once for each run, on its actor. Nothing else may hold the format that it returns, because
  /// the format can be passed to another thread.
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
