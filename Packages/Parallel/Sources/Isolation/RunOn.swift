internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

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

// MARK: - Erasing the isolation

/// Returns the closure without its isolation, so that it can be called without `await`.
///
/// Call the result only on the actor of the closure, or anywhere if `closure.isolation` is `nil`. Nothing checks this.
/// Read `closure.isolation` first, and pass the call to ``run(on:_:)``.
///
/// The function casts the closure, because Swift has no other way to call an `@isolated(any)` closure synchronously. The cast is valid
/// because both types have the same calling convention: SE-0431 stores the isolation in the closure's context.
///
/// ```swift
/// let home = callback.isolation
/// let raw = erasingIsolation(callback)
/// run(on: home) { raw(value) }
/// ```
public func erasingIsolation<Input, Output>(
  _ closure: @escaping @Sendable @isolated(any) (Input) -> Output
) -> @Sendable (Input) -> Output {
  unsafeBitCast(Isolated(function: closure), to: Erased<Input, Output>.self).function
}

/// Returns a throwing closure without its isolation, like ``erasingIsolation(_:)``.
public func erasingIsolation<Input, Output, Failure: Error>(
  throwing closure: @escaping @Sendable @isolated(any) (Input) throws(Failure) -> Output
) -> @Sendable (Input) throws(Failure) -> Output {
  unsafeBitCast(IsolatedThrowing(function: closure), to: ErasedThrowing<Input, Output, Failure>.self).function
}

/// Returns a closure with a `sending` parameter without its isolation, like ``erasingIsolation(_:)``.
public func erasingIsolation<Input, Output>(
  transferring closure: @escaping @Sendable @isolated(any) (consuming sending Input) -> Output
) -> @Sendable (consuming sending Input) -> Output {
  unsafeBitCast(IsolatedTransfer(function: closure), to: ErasedTransfer<Input, Output>.self).function
}

// The closures are cast inside structs, because the compiler wraps a closure that is passed as a generic argument, which costs an
// allocation.

private struct Isolated<Input, Output> {
  let function: @Sendable @isolated(any) (Input) -> Output
}

private struct Erased<Input, Output> {
  let function: @Sendable (Input) -> Output
}

private struct IsolatedTransfer<Input, Output> {
  let function: @Sendable @isolated(any) (consuming sending Input) -> Output
}

private struct ErasedTransfer<Input, Output> {
  let function: @Sendable (consuming sending Input) -> Output
}

private struct IsolatedThrowing<Input, Output, Failure: Error> {
  let function: @Sendable @isolated(any) (Input) throws(Failure) -> Output
}

private struct ErasedThrowing<Input, Output, Failure: Error> {
  let function: @Sendable (Input) throws(Failure) -> Output
}

// MARK: - The main thread

/// Returns whether the calling code runs on the main thread or on the main queue.
///
/// They differ on Linux in a command with an asynchronous `main`, for example `swift test`: several threads run the main queue in turns.
/// Off the main queue, a call makes two system calls on Linux.
public func isMainThread() -> Bool {
  DispatchQueue.getSpecific(key: mainQueueKey) != nil || isFirstThread()
}

/// The key that has a value only on the main queue and on the queues that target it.
private let mainQueueKey: DispatchSpecificKey<Void> = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()

private func isFirstThread() -> Bool {
  #if canImport(Darwin)
    pthread_main_np() != 0
  #else
    getpid() == threadID()
  #endif
}

#if !canImport(Darwin)
  /// The module map of the C library omits it, so `dlsym` finds it.
  private let threadID: @convention(c) () -> pid_t = {
    guard let symbol = dlsym(nil, "gettid") else { return { 0 } }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  }()
#endif
