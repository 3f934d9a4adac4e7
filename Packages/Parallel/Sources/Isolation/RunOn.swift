internal import Dispatch

/// Runs a closure where its isolation says, at once when that is here.
///
/// - With `nil` (no isolation) the closure runs at once, on the calling thread, before this function returns.
/// - With the main actor it runs at once when the caller is on the main thread, and otherwise on the main queue, after
///   what was sent there before it.
/// - With any other actor it runs on that actor, later, in a task of its own; two such closures keep no order.
///
/// The closure runs exactly once. Whoever calls this vouches that `body` may run on `isolation`: it is how a closure
/// that was formed on an actor, and erased by ``erasingIsolation(_:)``, finds its way home.
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
