/// Where an async keeps its value.
///
/// Part of the machine under ``Async``; there is nothing to call. It is public because a public class inherits it.
///
/// A class of its own whose parameter is the *optional* value: an object knows the type of its class's parameter and would
/// look for the type of an optional of that anew whenever it is deallocated, which takes longer than all else it does.
///
/// `@unchecked Sendable`: `storage` is written by the one caller that claimed the async, before it is published; see
/// `StateWord`.
public class _AsyncStorage<Stored: Sendable>: _AsyncState, @unchecked Sendable {
  /// The value, once the state says so.
  @usableFromInline @exclusivity(unchecked) final var storage: Stored

  @inlinable
  init(_ storage: Stored, _ beginning: StateWord.Beginning, reaction: @escaping Reaction) {
    self.storage = storage
    super.init(beginning, reaction: reaction)
  }
}
