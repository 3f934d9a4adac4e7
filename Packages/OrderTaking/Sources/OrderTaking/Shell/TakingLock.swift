/// A lock that many operations share, and what only its holder may touch.
///
/// `@unchecked Sendable`: `spareEffects` is touched only while the lock is held.
class TakingLock: Lock, @unchecked Sendable {
  /// Room for effects that nobody uses at the moment, so that an event needs no memory of its own.
  @exclusivity(unchecked) final var spareEffects: [TakingEffect] = []

  override init() {}
}
