/// Creates a future that waits for several others, one after the other, and counts as a listener of all from the start.
///
/// - Parameters:
///   - futures: The futures to wait for. Cancelling the new future leaves all of them.
///   - advance: A function that completes its argument and returns `true`, or registers it at the next pending future
///     and returns `false`. It is called now, and again after each of these futures, but never concurrently. It must
///     not use its argument after the registration.
@inlinable
@inline(__always)
func waiting<T, E>(
  for futures: [_AsyncCore], _ advance: @escaping @Sendable (Future<T, E>) -> Bool
) -> Future<T, E> {
  let upstream = Upstream.all(futures)
  let stage = Stage<Advance<T, E>?, T, E>(Advance(advance), waitingFor: upstream) { listener, _, _ in
    let stage = unsafeDowncast(listener, to: Stage<Advance<T, E>?, T, E>.self)
    if stage.isSettled || stage.held?.call(stage) == true { stage.held = nil }
    return true
  }
  upstream.join()
  if advance(stage) { stage.held = nil }
  return stage
}

/// Not a `Transform<Future<T, E>, Bool>`: a function whose parameter type is a generic parameter needs a wrapper, which
/// costs an allocation.
@usableFromInline
struct Advance<T: Sendable, E: Error>: Sendable {
  @usableFromInline let call: @Sendable (Future<T, E>) -> Bool

  @inlinable
  init(_ call: @escaping @Sendable (Future<T, E>) -> Bool) {
    self.call = call
  }
}

extension Async {
  @inlinable
  @inline(__always)
  final func completedValue(orRegistering listener: _Listener) -> Value? {
    if !hasResult, registerUnlessCompleted(listener, isCounted: false) { return nil }
    return completedValue
  }
}
