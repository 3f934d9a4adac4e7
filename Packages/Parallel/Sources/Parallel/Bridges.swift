public import Dispatch
internal import Isolation

extension Parallel {
  /// Creates a parallel from asynchronous work.
  ///
  /// Each run starts the work in a new task, on the actor where it was created. The task is never cancelled.
  ///
  /// ```swift
  /// Parallel { await weather(in: "Utrecht") }.run { print($0) }
  /// ```
  @preconcurrency
  public init(@_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async -> sending Value) {
    self.init(
      Stage { next in
        Task { next.call(await operation()) }
      })
  }

  /// Runs the parallel and waits for its value.
  ///
  /// ```swift
  /// let page = try await webPage.value()
  /// ```
  ///
  /// A cancelled wait ends, and the work continues, because a `Parallel` cannot be cancelled. A task that was cancelled before does not
  /// start the work.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled before the value arrives, or if the work releases its
  ///   callback without calling it.
  public func value() async throws(CancellationError) -> sending Value {
    let waiter = Waiter<Value>()
    let parcel = await withTaskCancellationHandler {
      // Checked, because ThreadSanitizer reports a false race for an unsafe one. `Waiter` of `Futures` is unsafe for speed.
      await withCheckedContinuation { continuation in
        guard waiter.put(continuation) else { return continuation.resume(returning: nil) }
        let arrival = Arrival(for: waiter)
        start { (value: sending Value) in arrival.resume(with: Parcel(value)) }
      }
    } onCancel: {
      waiter.take()?.resume(returning: nil)
    }
    guard let parcel else { throw CancellationError() }
    return parcel.take()
  }

  /// Creates a parallel from an interface that calls a delegate.
  ///
  /// ```swift
  /// Parallel.delegate { callback in
  ///   let delegate = NavigationDelegate { webView.takeSnapshot(callback) }
  ///   webView.navigationDelegate = delegate
  ///   return delegate
  /// }
  /// ```
  ///
  /// Most objects retain their delegate weakly, so the run retains it until it calls back or releases the callback. `makeDelegate` creates,
  /// sets and returns the delegate, once for each run, on the actor where it was created.
  @preconcurrency
  public static func delegate(
    reportingTo misuse: @escaping @Sendable (Misuse) -> Void = Misuse.print,
    file: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ makeDelegate:
      @escaping @Sendable @isolated(any) (@escaping Callback) -> AnyObject
  ) -> Parallel {
    let home = makeDelegate.isolation
    let raw = erasingIsolation(makeDelegate)
    return Parallel(reportingTo: misuse, file: file, line: line) { callback in
      let keeper = Once<AnyObject>()
      Isolation.run(on: home) {
        let delegate = raw { value in
          callback(value)
          _ = keeper.take()
        }
        // Already released if it has called back.
        keeper.put(delegate)
      }
    }
  }
}

extension Parallel {
  /// Returns a parallel whose value arrives on a queue.
  ///
  /// ```swift
  /// page.receive(on: .main).run { show($0) }
  /// ```
  public func receive(on queue: DispatchQueue) -> Parallel {
    Parallel(
      Stage { next in
        start { value in
          let parcel = Parcel(value)
          queue.async { next.call(parcel.take()) }
        }
      })
  }

  /// Returns a parallel that starts its work on a queue, independent of the thread that calls `run`.
  ///
  /// ```swift
  /// Parallel { callback in callback(slowlyComputed()) }.start(on: .global())
  /// ```
  public func start(on queue: DispatchQueue) -> Parallel {
    Parallel(Stage { next in queue.async { work.call(next) } })
  }
}

private typealias Waiter<Value> = Once<CheckedContinuation<Parcel<Value>?, Never>>

/// The callback of a run, for a task that waits; its release without a value ends the wait.
private final class Arrival<Value>: Sendable {
  private let waiter: Waiter<Value>

  init(for waiter: Waiter<Value>) {
    self.waiter = waiter
  }

  deinit {
    waiter.take()?.resume(returning: nil)
  }

  func resume(with parcel: Parcel<Value>) {
    waiter.take()?.resume(returning: parcel)
  }
}
