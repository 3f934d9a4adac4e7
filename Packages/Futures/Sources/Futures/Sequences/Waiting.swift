/// Creates a future that waits for several others, one after the other, and wants all of them from the start.
///
/// - Parameters:
///   - futures: The futures to wait for. Cancelling the new future leaves all of them.
///   - advance: Returns the result if it is known, or registers its argument at the next pending future and returns `nil`. Called
///     once now, and again after each of these futures; never at the same time. It must not touch anything after it has registered.
@inlinable
@inline(__always)
func waiting<T, E>(
  for futures: [_AsyncCore], _ advance: @escaping @Sendable (_ stage: _Listener) -> Result<T, E>?
) -> Future<T, E> {
  let upstream = Upstream.all(futures)
  typealias Advance = Transform<_Listener, Result<T, E>?>
  let stage = Stage<Advance?, T, E>(Transform(advance), waitingFor: upstream) { listener, _, _ in
    let stage = unsafeDowncast(listener, to: Stage<Advance?, T, E>.self)
    if stage.isSettled { stage.held = nil }
    if let result = stage.held?.call(stage) {
      stage.held = nil
      stage.tryComplete(result)
    }
    return true
  }
  upstream.join()
  if let result = advance(stage) {
    stage.held = nil
    stage.tryComplete(result)
  }
  return stage
}

extension Async {
  /// The value, or `nil` after registering a listener that was counted before.
  @inlinable
  @inline(__always)
  final func completedValue(orRegistering listener: _Listener) -> Value? {
    if !hasResult, registerUnlessCompleted(listener, isCounted: false) { return nil }
    return completedValue
  }
}
