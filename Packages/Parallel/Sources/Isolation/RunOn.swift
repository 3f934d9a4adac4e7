internal import Dispatch

/// Runs a closure once on an actor.
///
/// - If `isolation` is `nil`, the closure runs on the calling thread before this function returns.
/// - On the main actor, the closure runs before this function returns if the caller is on the main thread. Otherwise it runs on
///   the main queue, in the order of the calls.
/// - On any other actor, the closure runs later in a new task. The order of two calls is undefined.
///
/// Use it to call a closure that ``erasingIsolation(_:)`` returned.
///
/// ```swift
/// run(on: callback.isolation) { raw(value) }
/// ```
public func run(on isolation: (any Actor)?, _ body: @escaping @Sendable () -> Void) {
  guard let isolation else { return body() }
  if isolation === MainActor.shared {
    if isMainThread() { body() } else { DispatchQueue.main.async(execute: body) }
  } else {
    Task { await perform(body, on: isolation) }
  }
}

private func perform(_ body: @Sendable () -> Void, on actor: isolated any Actor) {
  body()
}
