public import Futures

/// Counts what is under way, so that a script, a test or a web page can wait until nothing is.
///
/// ```swift
/// work.track(client.logIn(name, password)) { result in … }
/// await work.settled()  // after the closure, and after all that it began
/// ```
@MainActor
public final class PendingWork {
  private var count = 0
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var waits = 0
  private var isChecking = false

  /// Creates a counter at zero.
  public init() {}

  /// Whether anything is under way.
  public var isPending: Bool { count > 0 }

  /// Notes that something began.
  public func begin() { count += 1 }

  /// Notes that something ended that ``begin()`` was called for.
  public func end() {
    count -= 1
    guard count == 0, !isChecking, !waiting.isEmpty else { return }
    isChecking = true
    // What ended may begin something else in a moment, on this actor: that is waited for too.
    Task {
      isChecking = false
      guard count == 0 else { return }
      let done = waiting
      waiting = [:]
      for continuation in done.values { continuation.resume() }
    }
  }

  /// Waits until nothing is under way; returns at once when nothing is.
  ///
  /// A task that is cancelled waits no longer; what is under way goes on.
  public func settled() async {
    guard count > 0 else { return }
    waits += 1
    let wait = waits
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting[wait] = continuation }
      }
    } onCancel: {
      // The handler may run on any thread, before there is a continuation: then the check above has seen it.
      Task { @MainActor in waiting.removeValue(forKey: wait)?.resume() }
    }
  }

  /// Counts a future as under way until a closure has heard how it ended.
  ///
  /// - Parameters:
  ///   - future: What is under way.
  ///   - then: Called once, on the main actor, with its result.
  /// - Returns: The future.
  @discardableResult
  public func track<Value, Failure>(
    _ future: Future<Value, Failure>, then: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
  ) -> Future<Value, Failure> {
    begin()
    future.onComplete(immediateOnMainExecutionContext) { result in
      MainActor.assumeIsolated {
        then(result)
        self.end()
      }
    }
    return future
  }
}
