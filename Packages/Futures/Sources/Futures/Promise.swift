/// The right to complete a future.
///
/// ```swift
/// let promise = Promise<Data, any Error>()
/// socket.onMessage { promise.success($0) }
/// return promise.future
/// ```
///
/// The first completion counts; it is one instant for all threads. Callbacks in the immediate context are called before
/// the completing call returns.
///
/// A promise that is dropped unfulfilled leaves its future pending for ever, and lets go of the callbacks. To find the
/// place where it was made, use `PromiseChecker` of BrightFuturesCompatibility.
public final class Promise<T: Sendable, E: Error>: Sendable {
  /// The future that this promise completes.
  public let future: Future<T, E>

  @usableFromInline let origin: PromiseOrigin?

  /// Creates a promise and its pending future.
  ///
  /// - Parameters:
  ///   - file: Where the promise is made, for `PromiseChecker`.
  ///   - line: Where the promise is made, for `PromiseChecker`.
  @inlinable
  public convenience init(file: StaticString = #fileID, line: UInt = #line) {
    self.init(origin: PromiseOrigin.current(file, line))
  }

  /// Creates a promise; one without an origin is not checked.
  @inlinable
  init(origin: PromiseOrigin?) {
    future = Future(promised: ())
    self.origin = origin
  }

  deinit {
    // Retained by this promise: nothing else need keep it for the time of that.
    Unmanaged.passUnretained(future)._withUnsafeGuaranteedRef { future in
      if origin != nil, !future.isSettled { origin?.promiseWasDropped() }
      future.abandonNow()
    }
  }

  /// Completes the future with a value; ignored when it is completed already.
  @inlinable
  public func success(_ value: T) {
    future.tryComplete(.success(value))
  }

  /// Completes the future with an error; ignored when it is completed already.
  @inlinable
  public func failure(_ error: E) {
    future.tryComplete(.failure(error))
  }

  /// Completes the future with a result; ignored when it is completed already.
  @inlinable
  public func complete(_ result: Result<T, E>) {
    future.tryComplete(result)
  }

  /// Completes the future with a value, and says whether it was this call that did.
  @inlinable
  @discardableResult
  public func trySuccess(_ value: T) -> Bool {
    future.tryComplete(.success(value))
  }

  /// Completes the future with an error, and says whether it was this call that did.
  @inlinable
  @discardableResult
  public func tryFailure(_ error: E) -> Bool {
    future.tryComplete(.failure(error))
  }

  /// Completes the future with a result, and says whether it was this call that did.
  @inlinable
  @discardableResult
  public func tryComplete(_ result: Result<T, E>) -> Bool {
    future.tryComplete(result)
  }

  /// Completes the future as another one completes, at once when that one is completed already.
  ///
  /// When the future is cancelled, or completed in another way, the other one is cancelled, unless somebody else waits
  /// for it.
  public func complete(with other: Future<T, E>) {
    future.preventCycle(through: other)
    other.relay(to: future) { self.complete($0) }
  }

  /// Adds a handler that is called when the future is cancelled, which is the time to end the work.
  ///
  /// It is called at most once: on the thread that cancels; at once when the future was cancelled before. A future
  /// that has completed in another way calls none, unless it is cancelled by one thread in the moment in which another
  /// one completes it. Several are called in the order in which they were added.
  ///
  /// A handler may complete the promise, with an error that tells more, say. When it has not, the future completes with
  /// the value that its type of error has for a cancellation, if it has one.
  ///
  /// The future keeps its handlers until it has completed. One that holds the promise itself keeps it from being dropped.
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

/// The right to complete an async from the closure that its scope gets: dropped unused, it lets go of the callbacks.
@usableFromInline
final class Completer<Value: Sendable>: Sendable {
  let async: Async<Value>

  @usableFromInline
  init(_ async: Async<Value>) {
    self.async = async
  }

  deinit {
    async.abandonNow()
  }

  func complete(_ value: Value) {
    async.tryComplete(value)
  }
}
