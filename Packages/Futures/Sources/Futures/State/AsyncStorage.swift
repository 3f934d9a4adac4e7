/// Where an async keeps its value.
///
/// Public only because ``Async`` inherits from it; it has no public members.
///
/// A class whose parameter is the *optional* value: an object knows the type of its class's parameter, and would look up the type of an
/// optional of it whenever it is deallocated. That look-up takes longer than everything else that a future does.
///
/// `@unchecked Sendable`: `storage` is written under the lock, before the state says that it may be read.
public class _AsyncStorage<Stored: Sendable>: _AsyncCore, @unchecked Sendable {
  /// The value, once the state is completed.
  @usableFromInline @exclusivity(unchecked) final var storage: Stored

  @inlinable
  init(_ storage: Stored, _ beginning: Beginning, reaction: @escaping Reaction) {
    self.storage = storage
    super.init(beginning, reaction: reaction)
  }
}
