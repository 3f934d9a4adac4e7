public import Isolation

/// An asynchronous value: work that starts with ``run(_:)`` and calls back once with its value.
///
/// A `Parallel` is cold: the work starts with each ``run(_:)`` and runs again for each run.
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
/// closure that was created on an actor runs on that actor, except those of `traverse`, `concurrentMap` and `zip(_:with:)`.
///
/// **Stack.** Chains of operators and recursive `flatMap`s of any length use constant stack space. Work that runs
/// another parallel uses stack space for each level. For long recursions use `flatMap` instead.
///
/// **Sendable.** A `Parallel` can be sent to any thread, also if its value is not `Sendable`: each run makes its own value
/// and transfers it (`sending`) to its callback.
public struct Parallel<Value>: Sendable {
  // `consuming` is spelled out although `sending` implies it: without it, the compiler wraps each closure literal, which
  // costs an allocation.

  /// The function that receives the value of one run.
  ///
  /// It may be called from any thread.
  public typealias Callback = @Sendable (consuming sending Value) -> Void

  @usableFromInline typealias Start = @Sendable (@escaping Callback) -> Void

  // `@unchecked Sendable`: only `init(value:)`, whose value is `Sendable`, creates the first case.
  @usableFromInline
  enum Content: @unchecked Sendable {
    case value(Value)
    case work(Start)
    /// A function that starts a run and may call its argument twice.
    ///
    /// The next stage makes the gate. A stage that only does that would cost two allocations.
    case uncheckedWork(Start, Misuse.Origin)
  }

  @usableFromInline let content: Content

  /// ``depth`` and ``mayRecur``, in one word to keep a parallel small.
  @usableFromInline let depthAndRecursion: Int

  @inlinable
  init(starting work: @escaping Start) {
    content = .work(work)
    depthAndRecursion = 0
  }

  /// Creates a parallel from a function that takes a callback.
  ///
  /// `work` is called once for each ``run(_:)``, on the actor where it was created, or at once if it was created
  /// outside of an actor. It calls its argument at most once, from any thread, now or later.
  @inlinable
  @preconcurrency
  public init(
    reportingTo misuse: Misuse.Reporter = .standardError,
    file: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) (@escaping Callback) -> Void
  ) {
    let raw = unsafeBitCast(IsolatedWork(run: work), to: ErasedWork.self).run
    var start = raw
    if let home = work.isolation { start = { callback in Isolation.run(on: home) { raw(callback) } } }
    content = .uncheckedWork(start, Misuse.Origin(file: file, line: line, reporter: misuse))
    depthAndRecursion = 0
  }

  /// Creates a parallel of an available value.
  ///
  /// A callback that was created outside of an actor is called before `run` returns, on the calling thread.
  @inlinable
  @_disfavoredOverload  // for a trailing closure, which is work
  public init(value: Value) where Value: Sendable {
    content = .value(value)
    depthAndRecursion = 0
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
    let raw = unsafeBitCast(IsolatedReceipt(take: callback), to: Receipt.self).take
    if let home = callback.isolation {
      start { (value: sending Value) in
        let parcel = Parcel(value)
        Isolation.run(on: home) { raw(parcel.take()) }
      }
    } else {
      start(raw)
    }
  }

  @inlinable
  func start(_ next: @escaping Callback) {
    switch content {
    case .value(let value): next(Parcel(value).take())
    case .work(let work): work(next)
    case .uncheckedWork(let work, let origin):
      let once = OnceCallback(next, origin)
      work { once.pass($0) }
    }
  }

  // Written in terms of `Value`, so that the cast needs no wrapper for the callback; see `erasingIsolation`.
  @usableFromInline
  struct IsolatedWork {
    let run: @Sendable @isolated(any) (@escaping Callback) -> Void

    @usableFromInline
    init(run: @escaping @Sendable @isolated(any) (@escaping Callback) -> Void) { self.run = run }
  }
  @usableFromInline
  struct ErasedWork { @usableFromInline let run: @Sendable (@escaping Callback) -> Void }
  @usableFromInline
  struct IsolatedReceipt {
    let take: @Sendable @isolated(any) (consuming sending Value) -> Void

    @usableFromInline
    init(take: @escaping @Sendable @isolated(any) (consuming sending Value) -> Void) { self.take = take }
  }
  @usableFromInline
  struct Receipt { @usableFromInline let take: Callback }
}
