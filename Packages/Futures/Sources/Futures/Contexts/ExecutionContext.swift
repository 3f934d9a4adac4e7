public import Dispatch
internal import Isolation

/// Where callbacks run: a function that runs a piece of work, once, now or later.
///
/// Any function of that shape will do, `{ $0() }` included. A context that drops the work skips that callback; the
/// others still come.
///
/// ```swift
/// let background: ExecutionContext = { work in DispatchQueue.global().async(execute: work) }
/// future.onSuccess(background) { print($0) }
/// ```
public typealias ExecutionContext = @Sendable (@escaping @Sendable () -> Void) -> Void

/// Runs callbacks at once, on the thread that completes the future, or that registers the callback on a completed one.
///
/// The cheapest context: no hop, and no allocation for it. The callback must be short and must not block.
public let immediateExecutionContext: ExecutionContext = { work in work() }

/// Runs callbacks at once when on the main thread or the main queue, and on the main queue otherwise.
public let immediateOnMainExecutionContext: ExecutionContext = { work in run(on: MainActor.shared, work) }

/// The context of callbacks that name none and were formed on no actor.
///
/// It is the main queue for those registered on the main thread or the main queue, and a global queue for others. It is
/// always asynchronous.
public func defaultContext() -> ExecutionContext {
  isMainThread() ? mainContext : globalContext
}

private let mainContext: ExecutionContext = { DispatchQueue.main.async(execute: $0) }
private let globalContext: ExecutionContext = { DispatchQueue.global().async(execute: $0) }

/// The context of callbacks that name none: the actor that they were formed on, or ``defaultContext()``.
@usableFromInline
func defaultContext(on isolation: (any Actor)?) -> ExecutionContext {
  guard let isolation else { return defaultContext() }
  if isolation === MainActor.shared { return mainContext }
  return { work in run(on: isolation, work) }
}

extension DispatchQueue {
  /// Runs callbacks on this queue, asynchronously, in the order that it keeps.
  public var context: ExecutionContext {
    { work in self.async(execute: work) }
  }
}

/// Whether a context is the immediate one, which needs no object to hold it.
///
/// Functions cannot be compared, but the two words of one can. It only saves work: a copy that is not recognised runs
/// callbacks at the same place.
@usableFromInline
func isImmediate(_ context: @escaping ExecutionContext) -> Bool {
  words(of: context) == immediateWords
}

private let immediateWords = words(of: immediateExecutionContext)

private func words(of context: @escaping ExecutionContext) -> (UInt, UInt) {
  // Inside a struct, since a function that is passed as a generic argument gets wrapped.
  struct Holder { let context: ExecutionContext }
  return unsafeBitCast(Holder(context: context), to: (UInt, UInt).self)
}
