public import Isolation
internal import Synchronization

/// A function that is called and released through the trampoline, so that long chains use constant stack space.
///
/// The work of a parallel is a stage, and in each run so is the callback of each operator. A stage retains the next one, so the release of
/// the first can release a chain of any length.
///
/// `@unchecked Sendable`: only the deinitialiser changes `function`.
@usableFromInline
final class Stage<Input>: @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var function: (@Sendable (consuming sending Input) -> Void)?

  @inlinable
  init(_ function: @escaping @Sendable (consuming sending Input) -> Void) {
    self.function = function
  }

  @inlinable
  deinit {
    Trampoline.call {
      function = nil
    } orLater: {
      let last = function
      return { _ = last }
    }
  }

  @inlinable
  func call(_ input: sending Input) {
    let parcel = Parcel(input)
    Trampoline.call {
      function?(parcel.take())
    } orLater: {
      { self.function?(parcel.take()) }
    }
  }
}

/// A value on the way from one stage to the next, whose type need not be `Sendable`.
///
/// `@unchecked Sendable`: a run has one value, and each stage passes it to one receiver without keeping it. The user's closures receive it
/// as `sending`. A closure on an actor must not return a value that it keeps; the documentation of `map` states that.
@usableFromInline
struct Parcel<Value>: @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }

  @inlinable
  func take() -> sending Value {
    // The parcel is the only owner, and its own owner never reads it again.
    nonisolated(unsafe) let value = value
    return value
  }
}

/// Storage for a content that one caller puts and one caller takes, in either order.
///
/// `@unchecked Sendable`: `content` is written before `state` becomes `full`. Then only the caller that changes `state` from `full`
/// to `taken` uses it.
@usableFromInline
final class Once<Content>: @unchecked Sendable {
  private enum State {
    static var empty: Int { 0 }
    static var full: Int { 1 }
    static var taken: Int { 2 }
  }

  private let state: Atomic<Int>
  @exclusivity(unchecked) private var content: Content?

  init() {
    state = Atomic(State.empty)
  }

  @usableFromInline
  init(_ content: Content) {
    self.content = content
    state = Atomic(State.full)
  }

  var isTaken: Bool { state.load(ordering: .relaxed) == State.taken }

  /// Stores the content; returns `false`, without storing it, if ``take()`` was called before.
  @discardableResult
  func put(_ content: Content) -> Bool {
    self.content = content
    let exchange = state.compareExchange(
      expected: State.empty, desired: State.full, successOrdering: .releasing, failureOrdering: .relaxed)
    if !exchange.exchanged { self.content = nil }
    return exchange.exchanged
  }

  /// Returns the content to the first caller, and `nil` to all others.
  @usableFromInline
  func take() -> Content? {
    guard state.exchange(State.taken, ordering: .acquiringAndReleasing) == State.full else { return nil }
    defer { content = nil }
    return content
  }
}
