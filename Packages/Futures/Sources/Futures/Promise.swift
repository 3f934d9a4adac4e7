/// The right to complete a future.
///
/// ```swift
/// let promise = Promise<Data, any Error>()
/// socket.onMessage { promise.success($0) }
/// return promise.future
/// ```
///
/// The first completion wins. Callbacks in the immediate context run before the completing call returns.
///
/// If a promise is released before it completes its future, the future stays pending for ever and releases its
/// callbacks. <doc:Cancellation> describes how a wait for it ends. To find the line that created such a promise, use
/// `PromiseChecker` of BrightFuturesCompatibility.
public final class Promise<T: Sendable, E: Error>: Sendable {
  public let future: Future<T, E>

  @usableFromInline let origin: PromiseOrigin?

  @inlinable
  public convenience init(file: StaticString = #fileID, line: UInt = #line) {
    self.init(origin: PromiseOrigin.current(file, line))
  }

  @inlinable
  init(origin: PromiseOrigin?) {
    future = Future(promised: ())
    self.origin = origin
  }

  deinit {
    // This promise retains the future, so another retain is unnecessary.
    Unmanaged.passUnretained(future)._withUnsafeGuaranteedRef { future in
      if future.isSettled { return }
      origin?.promiseWasDropped()
      future.abandonNow(origin)
    }
  }

  @inlinable
  public func success(_ value: T) {
    future.tryComplete(.success(value))
  }

  @inlinable
  public func failure(_ error: E) {
    future.tryComplete(.failure(error))
  }

  @inlinable
  public func complete(_ result: Result<T, E>) {
    future.tryComplete(result)
  }

  @inlinable
  @discardableResult
  public func trySuccess(_ value: T) -> Bool {
    future.tryComplete(.success(value))
  }

  @inlinable
  @discardableResult
  public func tryFailure(_ error: E) -> Bool {
    future.tryComplete(.failure(error))
  }

  /// Completes the future with a result, and returns whether this call completed it.
  @inlinable
  @discardableResult
  public func tryComplete(_ result: Result<T, E>) -> Bool {
    future.tryComplete(result)
  }

  /// Completes the future with the result of another future, now or later.
  ///
  /// It leaves the other future when its own future is cancelled, completed in another way, or left by its last
  /// listener. Work without another listener is then stopped. The other future retains this promise until one of the
  /// two futures is completed. The program stops with a message if a future would wait for itself.
  public func complete(with other: Future<T, E>) {
    other.relay(to: future) { self.complete($0) }
    future.stopAtCycle(through: other, origin)
  }

  /// Adds a handler that stops the work when the future is cancelled, or when its last listener leaves.
  ///
  /// A handler makes the future stoppable: if its last listener loses a race or times out, for example, the future is
  /// cancelled.
  ///
  /// The handler is called at most once, on the cancelling thread, or before this returns if the future was cancelled
  /// before. Several handlers are called in the order of their addition. A completed future calls no handler, unless
  /// one thread cancels it while another thread completes it.
  ///
  /// A handler may complete the promise, for example with a more precise error. Otherwise the future fails with the
  /// cancellation value of its error type, if that type has one.
  ///
  /// The future keeps its handlers until it is completed. A handler that captures the promise keeps it alive until
  /// then.
  ///
  /// ```swift
  /// let promise = Promise<Data, any Error>()
  /// let task = session.dataTask(with: url) { … promise.success(data) }
  /// promise.onCancel { task.cancel() }
  /// ```
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    future.addHandler(WorkHandler(handler))
  }
}
