/// Returns the closure without its isolation, so that it can be called without `await`.
///
/// Call the result only on the actor of the closure, or anywhere if `closure.isolation` is `nil`. Nothing checks this.
/// Read `closure.isolation` first, and pass the call to ``run(on:_:)``.
///
/// This function casts the closure. Swift has no other way to call an `@isolated(any)` closure synchronously. The cast
/// is valid because both types have the same calling convention: SE-0431 stores the isolation in the closure's context,
/// where only `closure.isolation` reads it.
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

/// Returns a throwing closure without its isolation, so that it can be called without `await`.
///
/// Like ``erasingIsolation(_:)``.
public func erasingIsolation<Input, Output, Failure: Error>(
  throwing closure: @escaping @Sendable @isolated(any) (Input) throws(Failure) -> Output
) -> @Sendable (Input) throws(Failure) -> Output {
  unsafeBitCast(IsolatedThrowing(function: closure), to: ErasedThrowing<Input, Output, Failure>.self).function
}

/// Returns a closure with a `sending` parameter without its isolation, so that it can be called without `await`.
///
/// Like ``erasingIsolation(_:)``.
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
