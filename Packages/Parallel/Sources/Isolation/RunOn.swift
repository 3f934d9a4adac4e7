internal import Dispatch

/// Runs a closure once on an actor.
///
/// - If `isolation` is `nil`, the closure runs on the calling thread before this function returns.
/// - On the main actor, the closure runs before this function returns if the caller is on the main thread. Otherwise it
///   runs on the main queue, in the order of the calls.
/// - On any other actor, the closure runs later in a new task, in the order of the calls from tasks and threads of the
///   same priority.
///
/// ```swift
/// run(on: callback.isolation) { raw(value) }
/// ```
public func run(on isolation: (any Actor)?, _ body: @escaping @Sendable () -> Void) {
  guard let isolation else { return body() }
  if isolation === MainActor.shared {
    if isMainThread() { body() } else { DispatchQueue.main.async(execute: body) }
  } else {
    // The function only starts a task and does not use the actor, so it may be called outside the actor.
    unsafeBitCast(startTask as OnActor, to: OnAnyThread.self)(body, isolation)
  }
}

private typealias OnActor = (@escaping @Sendable () -> Void, isolated any Actor) -> Void
private typealias OnAnyThread = (@escaping @Sendable () -> Void, any Actor) -> Void

/// A task that is isolated to the actor from its start joins the actor's queue at once.
///
/// A task that only calls into the actor would join it later, in no order.
private func startTask(_ body: @escaping @Sendable () -> Void, on actor: isolated any Actor) {
  Task {
    // The task has the isolation of an actor that it captures.
    _ = actor
    body()
  }
}
