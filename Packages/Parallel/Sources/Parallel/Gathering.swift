internal import Isolation

/// `@unchecked Sendable`: see `Gathering`.
@usableFromInline
class Arrivals: @unchecked Sendable {
  private let remaining: Countdown

  @usableFromInline
  init(from count: Int) {
    remaining = Countdown(from: count)
  }

  @usableFromInline
  final func countDown() -> Bool {
    remaining.countDown()
  }

  @usableFromInline
  func arrive() {}
}

/// A closure that captures only this object uses it as its context, so the callbacks cost no further allocation.
///
/// The first two generic parameters are *optional* types. With the types of the values, each deallocation would look up
/// the types of the optionals, which takes a tenth of the time of a zip of two.
///
/// `@unchecked Sendable`: see `Gathering`.
@usableFromInline
final class Pair<First: ExpressibleByNilLiteral, Second: ExpressibleByNilLiteral, End>: Arrivals, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var first: First = nil
  @usableFromInline @exclusivity(unchecked) var second: Second = nil
  @usableFromInline let end: End

  @inlinable
  init(for end: End) {
    self.end = end
    super.init(from: 2)
  }

  @inlinable
  func completeIfLast<A, B, Combined>() where First == A?, Second == B?, End == PairEnd<A, B, Combined> {
    if countDown(), let first, let second {
      Parallel.pass(Parcel(end.combine(first, second)).take(), to: end.next)
    }
  }
}

/// The functions for the values of a pair, as a struct: a function as a generic argument needs a wrapper.
@usableFromInline
struct PairEnd<First, Second, Combined> {
  @usableFromInline let combine: @Sendable (First, Second) -> Combined
  @usableFromInline let next: Parallel<Combined>.Callback

  @inlinable
  init(_ combine: @escaping @Sendable (First, Second) -> Combined, _ next: @escaping Parallel<Combined>.Callback) {
    self.combine = combine
    self.next = next
  }
}

/// The values of one run of a `zip`, each in a slot of its own.
///
/// `@unchecked Sendable`: each slot is written once, before its countdown. The last caller to count down owns all slots.
@usableFromInline
final class Gathering<each Value>: Arrivals, @unchecked Sendable {
  @usableFromInline let slots: (repeat Slot<each Value>)
  @usableFromInline let end: CallbackBox<(repeat each Value)>

  @inlinable
  init(for end: CallbackBox<(repeat each Value)>) {
    slots = (repeat Slot<each Value>())
    self.end = end
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    super.init(from: count)
  }

  @inlinable
  override func arrive() {
    if countDown() { end.deliver((repeat (each slots).value.unsafelyUnwrapped)) }
  }
}

/// A callback as a struct: Swift 6.3 crashes when it compiles a closure over a callback whose parameter is a pack.
@usableFromInline
struct CallbackBox<Value>: Sendable {
  @usableFromInline let next: Parallel<Value>.Callback

  @inlinable
  init(next: @escaping Parallel<Value>.Callback) { self.next = next }

  @inlinable
  func deliver(_ value: sending Value) { Parallel.pass(value, to: next) }

  @inlinable
  static func parallel(
    depth: Int, linksEnd: Bool, starting work: @escaping @Sendable (CallbackBox) -> Void
  ) -> Parallel<Value> {
    Parallel(depth: depth, linksEnd: linksEnd) { work(CallbackBox(next: $0)) }
  }
}

@usableFromInline
final class Slot<Value> {
  @usableFromInline @exclusivity(unchecked) var value: Value?

  @inlinable
  init() {}
}

extension Parallel {
  @inlinable
  func start(filling slot: Slot<Value>, of gathering: Arrivals) {
    // Only this run writes the slot, before it counts down.
    nonisolated(unsafe) let slot = slot
    start { (value: sending Value) in
      slot.value = value
      gathering.arrive()
    }
  }
}
