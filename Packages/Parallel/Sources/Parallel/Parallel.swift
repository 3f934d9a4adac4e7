internal import Isolation

/// An asynchronous value: a function that takes a callback and calls it once, when the value is there.
///
/// A `Parallel` is cold. Nothing happens until ``run(_:)``, and each run does the work again.
///
/// ```swift
/// let answer = Parallel<Int> { callback in callback(42) }
/// answer.map { $0 + 1 }.run { print($0) }  // 43
/// ```
///
/// **Exactly once.** The first call of the callback counts. A second one is reported and ignored (see ``Misuse``); a
/// callback that is dropped without being called leaves the run without an answer, which ``value()`` and
/// ``timeout(after:on:)`` survive.
///
/// **Threads.** The work starts on the thread that calls `run`, and the value arrives on the thread where the work
/// calls back: nothing hops unless a closure was formed on an actor. A closure formed on the main actor, say, runs
/// there, whoever calls it.
///
/// **Sendable.** A `Parallel` may go anywhere. Its value need not be `Sendable`: each run makes its own value and
/// hands it over (`sending`) to the one callback.
///
/// Source: *Async Functional Refactoring*, where it makes snapshots of web views possible.
public struct Parallel<Value>: Sendable {
  /// The function that receives the value of one run; it may be called from any thread.
  public typealias Callback = @Sendable (sending Value) -> Void

  /// Starts one run, whose value goes to the receiver.
  private let start: Start

  // `@unchecked Sendable`: only `init(value:)`, whose value is `Sendable`, makes the first case.
  private enum Start: @unchecked Sendable {
    case value(Value)
    case work(@Sendable (Receiver<Value>) -> Void)
  }

  /// Creates a parallel from what it does with the receiver of a run.
  init(starting work: @escaping @Sendable (Receiver<Value>) -> Void) {
    start = .work(work)
  }

  /// The value, when it is there without any work.
  var readyValue: Value? {
    if case .value(let value) = start { value } else { nil }
  }

  /// Starts a run for a receiver.
  func start(for receiver: Receiver<Value>) {
    switch start {
    case .value(let value): receiver.deliver(Parcel(unchecked: value).take())
    case .work(let work): work(receiver)
    }
  }

  /// Starts a run for a closure that may be called anywhere.
  func start(_ callback: @escaping Callback) {
    start(for: ClosureReceiver(callback))
  }

  /// Creates a value from a function that takes a callback.
  ///
  /// - Parameters:
  ///   - misuse: Where a second callback is reported. Standard error unless something else is handed in.
  ///   - file: The file that a report of a second callback names.
  ///   - line: The line that a report of a second callback names.
  ///   - work: Called once for each ``run(_:)``, on the actor that it was formed on, and at once when it was formed on
  ///     none. It calls its argument once, from any thread, now or later.
  @preconcurrency
  public init(
    reportingTo misuse: Misuse.Reporter = .standardError,
    file: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work: @escaping @Sendable @isolated(any) (@escaping Callback) -> Void
  ) {
    let origin = Origin(file: file, line: line, reporter: misuse)
    let raw = unsafeBitCast(IsolatedWork(run: work), to: Work.self).run
    if let home = work.isolation {
      start = .work { receiver in
        let callback = receiver.callback(from: origin)
        Isolation.run(on: home) { raw(callback) }
      }
    } else {
      start = .work { receiver in raw(receiver.callback(from: origin)) }
    }
  }

  // As in `erasingIsolation`, written in terms of `Value`, so that callbacks need no wrapper to pass through.
  private struct IsolatedWork { let run: @Sendable @isolated(any) (@escaping Callback) -> Void }
  private struct Work { let run: @Sendable (@escaping Callback) -> Void }
  private struct IsolatedReceipt { let take: @Sendable @isolated(any) (sending Value) -> Void }
  private struct Receipt { let take: Callback }

  /// Creates a value that is already there.
  ///
  /// Each run calls back at once, on the calling thread, before `run` returns.
  @_disfavoredOverload  // so that a trailing closure is work to do, not a value of a function type
  public init(value: Value) where Value: Sendable {
    start = .value(value)
  }

  /// Does the work, and calls back with its value, at most once.
  ///
  /// - Parameter callback: Called on the actor that it was formed on; when it was formed on none, on the thread where
  ///   the work calls back, which may be this one, before `run` returns.
  @preconcurrency
  public func run(@_inheritActorContext _ callback: @escaping @Sendable @isolated(any) (sending Value) -> Void) {
    let raw = unsafeBitCast(IsolatedReceipt(take: callback), to: Receipt.self).take
    if let home = callback.isolation {
      start(for: IsolatedReceiver(on: home, raw))
    } else if case .value(let value) = start {
      raw(Parcel(unchecked: value).take())
    } else {
      start(for: ClosureReceiver(raw))
    }
  }
}
