internal import Synchronization

extension Future {
  /// Waits for the value.
  ///
  /// When the waiting task is cancelled, the task leaves the future: work without another listener is stopped. The wait then throws the
  /// cancellation value of the error type (see ``CancellationRepresentable``), or ends with the result that an ``Promise/onCancel(_:)``
  /// handler gave the future. Without such a value, the wait continues until the future is completed. `value(orCancelled:)` ends at once
  /// for every error type.
  ///
  /// If the promise was released, the wait also throws the cancellation value. Without such a value, the program stops: see
  /// <doc:Cancellation>.
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
    if let result = await Waiter(for: core, whenCancelled: cancelled == nil ? .continuesWaiting : .endsWithResult)
      .value()
    {
      return result
    }
    guard let cancelled else {
      failAbandonedWait(for: self, "the error type lacks a cancellation value", insteadUse: "value(orCancelled:)")
    }
    return .failure(cancelled)
  }

  /// Waits for the value, or until the waiting task is cancelled or the promise was released, and then throws the given error.
  ///
  /// - Throws: The future's error, or `cancelled`.
  public func value(orCancelled cancelled: E) async throws(E) -> T {
    if let result { return try result.get() }
    guard let result = await Waiter(for: core, whenCancelled: .endsWithoutValue).value() else { throw cancelled }
    return try result.get()
  }
}

extension Future where E == Never {
  /// Waits for the value, or until the waiting task is cancelled or the promise was released, and then throws the given error.
  ///
  /// ```swift
  /// let name = try await name.value(orCancelled: CancellationError())
  /// ```
  public func value<Cancelled: Error>(orCancelled cancelled: Cancelled) async throws(Cancelled) -> T {
    if let value { return value }
    guard let result = await Waiter(for: core, whenCancelled: .endsWithoutValue).value() else { throw cancelled }
    return result.get()
  }
}

extension AsyncType {
  /// Waits for the value of any asynchronous operation, which is the result of a future.
  ///
  /// When the waiting task is cancelled, the task leaves the operation, but the wait continues until the operation is completed. If the
  /// promise was released, the program stops: see <doc:Cancellation>.
  ///
  /// ```swift
  /// let result: Result<Picture, BirdsError> = await picture.get()
  /// ```
  @_disfavoredOverload  // for the form of a future, which unwraps the result
  public func get() async -> Value {
    if let result { return result }
    let value = FutureCore<Value, Never>(completers: 0)
    value.follow(any: self) { .success($0) }
    guard let value = await Waiter(for: value, whenCancelled: .continuesWaiting).value() else {
      failAbandonedWait(for: self)
    }
    return value.get()
  }
}

/// Not a `preconditionFailure`, because an optimised program does not print its message.
package func failAbandonedWait(
  for async: some AsyncType, _ reason: String? = nil, insteadUse alternative: String? = nil
) -> Never {
  let cause =
    (async as? any CoreOwner)?.anyCore.origin.map {
      "the promise created at \($0.place) was released before it completed the future"
    }
    ?? "its promise was released, a context discarded its work, or it is firstCompleted() of no futures"
  let reasons = [cause, reason].compactMap(\.self).joined(separator: ", and ")
  let alternative = alternative.map { ", or wait with \($0)" } ?? ""
  fatalError("Cannot wait for \(async): \(reasons). Complete it on every path\(alternative).")
}

/// A task that waits for a future.
///
/// `@unchecked Sendable`: `continuation` is written once, before the registration, and used by the one caller that records
/// `resumed`.
private final class Waiter<T: Sendable, E: Error>: Listener, @unchecked Sendable {
  private let future: FutureCore<T, E>
  private let cancellation: Cancellation
  private let events = Atomic<UInt8>(0)
  private var continuation: UnsafeContinuation<Result<T, E>?, Never>?

  enum Cancellation {
    case continuesWaiting
    /// The wait ends with the result of the future if the cancellation of its last listener completes it, and otherwise
    /// without a value.
    case endsWithResult
    case endsWithoutValue
  }

  init(for future: FutureCore<T, E>, whenCancelled cancellation: Cancellation) {
    self.future = future
    self.cancellation = cancellation
  }

  func value() async -> Result<T, E>? {
    await withTaskCancellationHandler {
      // Unsafe, which saves an allocation: `claimResumption()` ensures that it is resumed once. For the false race that
      // ThreadSanitizer reports, see `Scripts/threads.suppressions`.
      await withUnsafeContinuation { continuation in
        self.continuation = continuation
        future.register(self)
        if record(.registered).contains(.cancelled) { cancel() }
      }
    } onCancel: {
      if record(.cancelled).contains(.registered) { cancel() }
    }
  }

  override func receive(from source: AnyFutureCore) {
    if claimResumption() { continuation?.resume(returning: future.result) }
  }

  private func cancel() {
    switch cancellation {
    case .continuesWaiting: future.update { $0.leave(self, removing: false) }
    case .endsWithResult:
      future.update { $0.leave(self, removing: true) }
      // A cancelled future gets a result, at the latest from its last handler.
      if future.isCancelled { future.register(self) } else { receive(from: future) }
    case .endsWithoutValue:
      // The departure may complete the future, so claim the continuation first.
      guard claimResumption() else { return }
      let early = future.result
      future.update { $0.leave(self, removing: true) }
      continuation?.resume(returning: early)
    }
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
