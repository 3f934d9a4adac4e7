/// The storage of an async's value.
///
/// Public only because ``Async`` inherits from it, without public members.
///
/// The generic parameter is the *optional* type. With the value's type as the parameter, each deallocation would look
/// up the type of the optional, which takes longer than all other operations of a future.
///
/// `@unchecked Sendable`: `storage` is written under the lock, before the flag `completed` makes it readable.
public class _AsyncStorage<Stored: Sendable>: _AsyncCore, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) final var storage: Stored

  @inlinable
  init(_ storage: Stored, _ beginning: Beginning, reaction: @escaping Reaction) {
    self.storage = storage
    super.init(beginning, reaction: reaction)
  }
}
