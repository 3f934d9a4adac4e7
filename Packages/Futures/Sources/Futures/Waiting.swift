internal import Synchronization

extension Future {
  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, the task leaves the future: work without another listener is stopped, see
  /// ``Async/cancel()``. The wait then throws the cancellation value of the error type (see
  /// ``CancellationRepresentable``), or ends with the result that an ``Promise/onCancel(_:)`` handler gave the future.
  /// Without such a value, the wait continues until the future is completed. `value(orCancelled:)` ends at once for
  /// every error type.
  ///
  /// If the promise is released before it completed the future, the wait also throws the cancellation value. Without
  /// such a value the program stops, see <doc:Cancellation>.
  ///
  /// The wait does not raise the priority of the work.
  ///
  /// - Throws: The future's error. A future whose error is `Never` throws nothing.
  @inlinable
  public func get() async throws(E) -> T {
    if let result { return try result.get() }
    return try await wait().get()
  }

  @usableFromInline
  func wait() async -> Result<T, E> {
    let cancelled: E? = cancellation(as: E.self)
    if let result = await Waiter(for: self, whenCancelled: cancelled == nil ? .continuesWaiting : .endsWithResult)
      .value()
    {
      return result
    }
    guard let cancelled else {
      failAbandonedWait(for: self, "the error type lacks a cancellation value", insteadUse: "value(orCancelled:)")
    }
    return .failure(cancelled)
  }

  /// Waits for the value, or until the waiting task is cancelled.
  ///
  /// - Parameter cancelled: The error to throw when the waiting task is cancelled, or the promise was released.
  /// - Throws: The future's error, or `cancelled`.
  public func value(orCancelled cancelled: E) async throws(E) -> T {
    if let result { return try result.get() }
    guard let result = await Waiter(for: self, whenCancelled: .endsWithoutValue).value() else { throw cancelled }
    return try result.get()
  }
}

extension Future where E == Never {
  /// Waits for the value, or until the waiting task is cancelled.
  ///
  /// ```swift
  /// let name = try await name.value(orCancelled: CancellationError())
  /// ```
  ///
  /// - Parameter cancelled: The error to throw when the waiting task is cancelled, or the promise was released.
  /// - Throws: `cancelled`.
  public func value<Cancelled: Error>(orCancelled cancelled: Cancelled) async throws(Cancelled) -> T {
    if let value { return value }
    guard let result = await Waiter(for: self, whenCancelled: .endsWithoutValue).value() else { throw cancelled }
    return result.get()
  }
}

extension Async {
  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, the task leaves the async, but the wait continues until the async is
  /// completed. If the promise was released, that is impossible, and the program stops, see <doc:Cancellation>.
  @_disfavoredOverload  // for `Future.get()`, which unwraps the result
  public final func get() async -> Value {
    if let result { return result }
    guard let value = await Waiter(for: self, whenCancelled: .continuesWaiting).value() else {
      failAbandonedWait(for: self)
    }
    return value
  }
}

/// Not a `preconditionFailure`, because an optimised program does not print its message.
package func failAbandonedWait(
  for async: some AsyncType, _ reason: String? = nil, insteadUse alternative: String? = nil
) -> Never {
  let cause =
    (async as? _AsyncCore)?.origin.map {
      "the promise created at \($0.place) was released before it completed the future"
    }
    ?? "its promise was released, a context discarded its work, or it is firstCompleted() of no futures"
  let reasons = [cause, reason].compactMap(\.self).joined(separator: ", and ")
  let alternative = alternative.map { ", or wait with \($0)" } ?? ""
  fatalError("Cannot wait for \(async): \(reasons). Complete it on every path\(alternative).")
}

/// A task that waits for an async.
///
/// `@unchecked Sendable`: `continuation` is written once, before the registration, and used by the one caller that records
/// `resumed`.
private final class Waiter<Value: Sendable>: _Listener, @unchecked Sendable {
  private let async: Async<Value>
  private let cancellation: Cancellation
  private let events = Atomic<UInt8>(0)
  private var continuation: UnsafeContinuation<Value?, Never>?

  enum Cancellation {
    case continuesWaiting
    /// The wait ends with the result of the async if the cancellation of its last listener completes it, and otherwise
    /// without a value.
    case endsWithResult
    case endsWithoutValue
  }

  init(for async: Async<Value>, whenCancelled cancellation: Cancellation) {
    self.async = async
    self.cancellation = cancellation
  }

  func value() async -> Value? {
    await withTaskCancellationHandler {
      // Unsafe, which saves an allocation: `claimResumption()` ensures that it is resumed once. For the false race that
      // ThreadSanitizer reports, see `Scripts/threads.suppressions`.
      await withUnsafeContinuation { continuation in
        self.continuation = continuation
        async.register(self)
        if record(.registered).contains(.cancelled) { cancel() }
      }
    } onCancel: {
      if record(.cancelled).contains(.registered) { cancel() }
    }
  }

  override func receive(from source: _AsyncCore) {
    if claimResumption() { continuation?.resume(returning: async.result) }
  }

  private func cancel() {
    if cancellation == .continuesWaiting { return async.leave(self, removing: false) }
    // This cancellation may complete the async, so claim the continuation first.
    guard claimResumption() else { return }
    let early = async.result
    async.leave(self)
    continuation?.resume(returning: early ?? (cancellation == .endsWithResult ? async.result : nil))
  }

  private func claimResumption() -> Bool { !record(.resumed).contains(.resumed) }

  private func record(_ event: Events) -> Events {
    Events(rawValue: events.bitwiseOr(event.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }
}

private struct Events: OptionSet {
  let rawValue: UInt8

  static let registered = Events(rawValue: 1)
  static let cancelled = Events(rawValue: 2)
  static let resumed = Events(rawValue: 4)
}
