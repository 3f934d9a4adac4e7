internal import Synchronization

/// Storage for one object.
///
/// One caller stores it and another one takes it, once and in either order.
///
/// `@unchecked Sendable`: `content` is written before `state` becomes `full`. Then only the caller that changes `state`
/// from `full` to `taken` uses it.
final class OnceSlot<Content>: @unchecked Sendable {
  private enum State {
    static var empty: Int { 0 }
    static var full: Int { 1 }
    static var taken: Int { 2 }
  }

  private let state = Atomic(State.empty)
  private var content: Content?

  /// Stores the content; returns `false`, without storing it, if ``take()`` was called before.
  func put(_ content: Content) -> Bool {
    self.content = content
    let exchange = state.compareExchange(
      expected: State.empty, desired: State.full, successOrdering: .releasing, failureOrdering: .relaxed)
    if !exchange.exchanged { self.content = nil }
    return exchange.exchanged
  }

  func take() -> Content? {
    guard state.exchange(State.taken, ordering: .acquiringAndReleasing) == State.full else { return nil }
    defer { content = nil }
    return content
  }
}
