public import Dispatch
internal import Isolation

/// A function that runs a callback at most once: now, later, for example on a queue, or never.
///
/// If a context drops the work, that callback is skipped, but other callbacks still run.
///
/// ```swift
/// let background: ExecutionContext = { work in DispatchQueue.global().async(execute: work) }
/// future.onSuccess(background) { print($0) }
/// ```
public typealias ExecutionContext = @Sendable (@escaping @Sendable () -> Void) -> Void

/// The context that runs callbacks at once: on the thread that completes the future, or on the registering thread if it is completed.
///
/// It is the fastest context. Keep the callback short, because it delays that thread.
public let immediateExecutionContext: ExecutionContext = { work in work() }

/// The context that runs callbacks on the main queue: at once if that is the current queue or the main thread,
/// otherwise later.
public let immediateOnMainExecutionContext: ExecutionContext = { work in run(on: MainActor.shared, work) }

/// Returns the default context, for callbacks that were created outside of an actor.
///
/// It is the main queue if the caller of this function is on the main thread or the main queue, otherwise a global queue. It is always
/// asynchronous.
public func defaultContext() -> ExecutionContext {
  isMainThread() ? mainContext : globalContext
}

private let mainContext: ExecutionContext = { DispatchQueue.main.async(execute: $0) }
private let globalContext: ExecutionContext = { DispatchQueue.global().async(execute: $0) }

@usableFromInline
func defaultContext(on isolation: (any Actor)?) -> ExecutionContext {
  guard let isolation else { return defaultContext() }
  if isolation === MainActor.shared { return mainContext }
  return { work in run(on: isolation, work) }
}

extension DispatchQueue {
  /// A context that runs callbacks asynchronously on this queue, in the queue's order.
  public var context: ExecutionContext {
    { work in self.async(execute: work) }
  }
}
