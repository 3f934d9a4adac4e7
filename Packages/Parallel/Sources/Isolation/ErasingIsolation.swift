/// Forgets which actor a closure belongs to, so that it can be called without `await`.
///
/// The result may only be called on the closure's own isolation, or anywhere when `closure.isolation` is `nil`.
/// Nothing checks it: read `closure.isolation` first, and call the result through ``run(on:_:)``. A function with
/// dynamic isolation is called exactly as one without, which is also what the standard library relies on in
/// `MainActor.assumeIsolated`.
///
/// ```swift
/// let home = callback.isolation
/// let raw = erasingIsolation(callback)
/// run(on: home) { raw(value) }
/// ```
@inlinable
public func erasingIsolation<Input, Output>(
  _ closure: @escaping @Sendable @isolated(any) (Input) -> Output
) -> @Sendable (Input) -> Output {
  unsafeBitCast(Isolated(function: closure), to: Erased<Input, Output>.self).function
}

/// Forgets which actor a closure belongs to that may throw.
///
/// The same rule binds as for the function without errors.
@inlinable
public func erasingIsolation<Input, Output, Failure: Error>(
  throwing closure: @escaping @Sendable @isolated(any) (Input) throws(Failure) -> Output
) -> @Sendable (Input) throws(Failure) -> Output {
  unsafeBitCast(IsolatedThrowing(function: closure), to: ErasedThrowing<Input, Output, Failure>.self).function
}

/// Forgets which actor a closure belongs to that takes over its argument.
///
/// The same rule binds as for ``erasingIsolation(_:)``.
@inlinable
public func erasingIsolation<Input, Output>(
  transferring closure: @escaping @Sendable @isolated(any) (sending Input) -> Output
) -> @Sendable (sending Input) -> Output {
  unsafeBitCast(IsolatedTransfer(function: closure), to: ErasedTransfer<Input, Output>.self).function
}

// The functions are cast inside structs: one that is passed as a generic argument by itself gets wrapped, which costs
// an allocation for each wrapper.

@usableFromInline
struct Isolated<Input, Output> {
  @usableFromInline let function: @Sendable @isolated(any) (Input) -> Output

  @inlinable
  init(function: @escaping @Sendable @isolated(any) (Input) -> Output) {
    self.function = function
  }
}

@usableFromInline
struct Erased<Input, Output> {
  @usableFromInline let function: @Sendable (Input) -> Output
}

@usableFromInline
struct IsolatedTransfer<Input, Output> {
  @usableFromInline let function: @Sendable @isolated(any) (sending Input) -> Output

  @inlinable
  init(function: @escaping @Sendable @isolated(any) (sending Input) -> Output) {
    self.function = function
  }
}

@usableFromInline
struct ErasedTransfer<Input, Output> {
  @usableFromInline let function: @Sendable (sending Input) -> Output
}

@usableFromInline
struct IsolatedThrowing<Input, Output, Failure: Error> {
  @usableFromInline let function: @Sendable @isolated(any) (Input) throws(Failure) -> Output

  @inlinable
  init(function: @escaping @Sendable @isolated(any) (Input) throws(Failure) -> Output) {
    self.function = function
  }
}

@usableFromInline
struct ErasedThrowing<Input, Output, Failure: Error> {
  @usableFromInline let function: @Sendable (Input) throws(Failure) -> Output
}
