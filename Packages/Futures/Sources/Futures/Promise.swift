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
/// **Complete it on every path.** If a promise is released before it completes its future, the future stays pending for ever and
/// releases its callbacks. `get()` then throws the cancellation value of the error type. If the type has none (see
/// ``CancellationRepresentable``), the program stops with a message that names the line of the promise. A server that must survive this
/// waits with `value(orCancelled:)`, which throws its argument.
public final class Promise<T: Sendable, E: Error>: Sendable {
  public let future: Future<T, E>

  // The line 0 stands for a scope. An optional would make the promise larger.
  @usableFromInline let origin: (file: StaticString, line: UInt)

  /// Creates a promise and its pending future.
  ///
  /// The file and the line appear in the message of a wait that cannot end, because the promise was released.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    future = Future(core: FutureCore(completers: 1))
    origin = (file, line)
  }

  /// Creates the promise of a scope, without a line for messages.
  init(completing core: FutureCore<T, E>) {
    future = Future(core: core)
    origin = ("", 0)
  }

  deinit {
    // This promise retains the core, so another retain is unnecessary.
    Unmanaged.passUnretained(future.core)._withUnsafeGuaranteedRef { core in
      if !core.hasResult { core.completerHasEnded(origin.line == 0 ? nil : PromiseOrigin(origin.file, origin.line)) }
    }
  }

  @inlinable
  public func success(_ value: T) {
    future.core.tryComplete(.success(value))
  }

  @inlinable
  public func failure(_ error: E) {
    future.core.tryComplete(.failure(error))
  }

  @inlinable
  public func complete(_ result: Result<T, E>) {
    future.core.tryComplete(result)
  }

  @inlinable
  @discardableResult
  public func trySuccess(_ value: T) -> Bool {
    future.core.tryComplete(.success(value))
  }

  @inlinable
  @discardableResult
  public func tryFailure(_ error: E) -> Bool {
    future.core.tryComplete(.failure(error))
  }

  /// Completes the future with a result, and returns whether this call completed it.
  @inlinable
  @discardableResult
  public func tryComplete(_ result: Result<T, E>) -> Bool {
    future.core.tryComplete(result)
  }

  /// Completes the future with the result of another future, now or later.
  ///
  /// Its future is then a derived future of the other one, as of `map`: see <doc:Cancellation>. The promise may be released before the
  /// other future is completed. The program stops with a message if the other future is the promise's own.
  public func complete(with other: Future<T, E>) {
    future.core.follow(other)
  }

  /// Adds a handler that stops the work when the future is cancelled, or when its last listener leaves.
  ///
  /// The handler is called at most once, on the cancelling thread, or before this returns if the future was cancelled before and not
  /// completed in another way since. Handlers are called in the order of their addition. A completed future calls none, unless one thread
  /// cancels it while another thread completes it.
  ///
  /// A handler may complete the promise, for example with a more precise error. Otherwise the future fails with the cancellation value of
  /// its error type, if that has one. The future keeps its handlers, and what they capture, until it is completed.
  ///
  /// ```swift
  /// let promise = Promise<Data, any Error>()
  /// let task = session.dataTask(with: url) { … promise.success(data) }
  /// promise.onCancel { task.cancel() }
  /// ```
  public func onCancel(_ handler: @escaping @Sendable () -> Void) {
    future.core.addHandler(handler)
  }
}

extension Promise where T == Void {
  /// Completes the future with success.
  @inlinable
  public func success() { success(()) }
}

/// The line that created a promise, for the message about a wait that cannot end.
@usableFromInline
final class PromiseOrigin: Sendable {
  private let file: StaticString
  private let line: UInt

  init(_ file: StaticString, _ line: UInt) {
    (self.file, self.line) = (file, line)
  }

  var place: String { "\(file):\(line)" }
}
