internal import Foundation

/// A result that one task waits for, and that ends the wait at once when the task is cancelled.
///
/// The first result counts; later ones are ignored.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Waiter<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var result: Result<Value, any Error>?
  private var continuation: CheckedContinuation<Value, any Error>?

  @discardableResult
  func resume(with result: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation) = lock.withLock {
      guard self.result == nil else { return (false, nil as CheckedContinuation<Value, any Error>?) }
      self.result = result
      return (true, self.continuation.take())
    }
    continuation?.resume(with: result)
    return isFirst
  }

  /// Waits for the result; called once.
  ///
  /// - Throws: The error of the result; `CancellationError` if the task is cancelled first.
  func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = lock.withLock {
          if self.result == nil { self.continuation = continuation }
          return self.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      resume(with: .failure(CancellationError()))
    }
  }
}
