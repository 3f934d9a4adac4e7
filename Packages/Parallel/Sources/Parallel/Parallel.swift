public import Isolation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An asynchronous value: work that starts with ``run(_:)`` and calls back once with its value.
///
/// A `Parallel` is cold: each run repeats the work.
///
/// ```swift
/// let answer = Parallel<Int> { callback in callback(42) }
/// answer.map { $0 + 1 }.run { print($0) }  // 43
/// ```
///
/// **At most once.** A second call of the callback in a run is ignored and reported, see ``Misuse``. If the work releases
/// the callback without a call, the run has no value: ``value()`` throws `CancellationError`, and ``timeout(after:on:)``
/// calls back with its error.
///
/// **Threads.** The work starts on the thread that calls `run`, and the value arrives on the thread that calls back. A
/// closure that was created on an actor runs on that actor, except those of `traverse` and `zip(_:with:)`.
///
/// **Stack.** Chains and recursions of any length use constant stack space: at most 32 calls nest on a thread. A run that starts inside of
/// 32 others calls back after it has returned.
///
/// **Sendable.** A `Parallel` is `Sendable`, also if its value is not: each run transfers its own value (`sending`) to its callback.
public struct Parallel<Value>: Sendable {
  /// The function that receives the value of one run, on any thread.
  public typealias Callback = @Sendable (consuming sending Value) -> Void

  /// The function that starts a run with the stage that receives its value.
  @usableFromInline let work: Stage<Stage<Value>>

  @inlinable
  init(_ work: Stage<Stage<Value>>) {
    self.work = work
  }

  /// Creates a parallel from a function that takes a callback.
  ///
  /// `work` is called once for each ``run(_:)``, on the actor where it was created, or at once if it was created
  /// outside of an actor. It calls its argument at most once, from any thread, now or later.
  @inlinable
  @preconcurrency
  public init(
    reportingTo misuse: @escaping @Sendable (Misuse) -> Void = Misuse.print,
    file: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) (@escaping Callback) -> Void
  ) {
    let (home, raw) = (work.isolation, erasingIsolation(work))
    self.init(
      Stage { next in
        let once = Once(next)
        let callback: Callback = { value in
          guard let next = once.take() else { return misuse(Misuse(file: "\(file)", line: line)) }
          next.call(value)
        }
        Isolation.run(on: home) { raw(callback) }
      })
  }

  /// Creates a parallel of an available value.
  ///
  /// A callback that was created outside of an actor is called before `run` returns, on the calling thread.
  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is work
  public init(value: Value) where Value: Sendable {
    self.init(Stage { next in next.call(value) })
  }

  /// Starts the work, and calls back with its value at most once.
  ///
  /// The callback runs on the actor where it was created. If it was created outside of an actor, it runs on the thread
  /// where the work calls back, perhaps before `run` returns.
  @inlinable
  @preconcurrency
  public func run(
    @_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (consuming sending Value) -> Void
  ) {
    start(on: callback.isolation, erasingIsolation(transferring: callback))
  }

  /// Returns a parallel of the transformed value.
  ///
  /// ```swift
  /// Parallel(value: 20).map { $0 + 1 }.run { print($0) }  // 21
  /// ```
  ///
  /// - Parameter transform: A function that is called once in each run, on the actor where it was created, or on the thread where the value
  ///   arrives. It must not keep the value that it returns, because that may be sent to another thread.
  @inlinable
  @preconcurrency
  public func map<NewValue>(
    @_inheritActorContext @TransformBuilder<NewValue> _ transform:
      @escaping @Sendable @isolated(any) (consuming sending Value) -> NewValue
  ) -> Parallel<NewValue> {
    let (home, raw) = (transform.isolation, erasingIsolation(transferring: transform))
    return Parallel<NewValue>(
      Stage { next in
        start(on: home) { value in next.call(raw(value)) }
      })
  }

  /// Returns a parallel that runs a second parallel, which a function makes from this one's value.
  ///
  /// ```swift
  /// func picture(of bird: Bird) -> Parallel<Picture> { … }
  /// bird.flatMap(picture(of:)).run { show($0) }
  /// ```
  ///
  /// - Parameter transform: A function that is called as that of ``map(_:)``. The parallel that it returns starts there at once.
  @inlinable
  @preconcurrency
  public func flatMap<NewValue>(
    @_inheritActorContext _ transform:
      @escaping @Sendable @isolated(any) (consuming sending Value) -> Parallel<NewValue>
  ) -> Parallel<NewValue> {
    let (home, raw) = (transform.isolation, erasingIsolation(transferring: transform))
    return Parallel<NewValue>(
      Stage { next in
        start(on: home) { value in raw(value).work.call(next) }
      })
  }

  /// Starts a run whose value is passed to a function on an actor, or where the value arrives.
  @inlinable
  func start(on home: (any Actor)? = nil, _ receive: @escaping Callback) {
    guard let home else { return work.call(Stage(receive)) }
    work.call(
      Stage { value in
        let parcel = Parcel(value)
        Isolation.run(on: home) { receive(parcel.take()) }
      })
  }
}

/// A second call of a callback in one run of a ``Parallel``, whose value was dropped.
public struct Misuse: Sendable, Hashable, CustomStringConvertible {
  public let file: String

  public let line: UInt

  @usableFromInline
  init(file: String, line: UInt) {
    self.file = file
    self.line = line
  }

  public var description: String {
    """
    Ignored a second value: the Parallel created at \(file):\(line) called its callback twice in one run. \
    Call the callback exactly once on every path.
    """
  }

  /// Writes one line to standard error.
  public static func print(_ misuse: Misuse) {
    let line = Array("\(misuse)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
