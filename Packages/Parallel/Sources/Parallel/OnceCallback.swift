public import Isolation
internal import Synchronization

/// The gate of a run: lets the first value of the user's work pass, and reports any other.
///
/// `@unchecked Sendable`: its fields are an atomic and a constant.
@usableFromInline
class Gate: @unchecked Sendable {
  private let isPassed = Atomic(false)
  private let origin: Misuse.Origin

  @usableFromInline
  init(_ origin: Misuse.Origin) {
    self.origin = origin
  }

  @usableFromInline
  final func open() -> Bool {
    if !isPassed.exchange(true, ordering: .acquiringAndReleasing) { return true }
    origin.report()
    return false
  }
}

/// The callback of a run of the user's work.
///
/// A closure that captures only this object uses it as its context, so the user's callback costs no further allocation.
///
/// `@unchecked Sendable`: `next` belongs to the one caller that opens the gate.
@usableFromInline
final class OnceCallback<Value>: Gate, @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var next: Parallel<Value>.Callback?

  @inlinable
  init(_ next: @escaping Parallel<Value>.Callback, _ origin: Misuse.Origin) {
    self.next = next
    super.init(origin)
  }

  @inlinable
  deinit {
    if next != nil { Parallel<Value>.release(&next) }
  }

  @inlinable
  func pass(_ value: sending Value) {
    guard open(), let next else { return }
    self.next = nil
    Parallel.pass(value, to: next)
  }
}

/// The callback of a run of the user's work, with a transform.
///
/// It saves an object compared with a ``OnceCallback`` and a closure.
///
/// `@unchecked Sendable`: see ``OnceCallback``.
@usableFromInline
final class OnceTransform<Value, NewValue>: Gate, @unchecked Sendable {
  @usableFromInline typealias Transform = @Sendable (consuming sending Value) -> NewValue

  @usableFromInline let transform: Transform
  @usableFromInline @exclusivity(unchecked) var next: Parallel<NewValue>.Callback?

  @inlinable
  init(_ transform: @escaping Transform, _ next: @escaping Parallel<NewValue>.Callback, _ origin: Misuse.Origin) {
    self.transform = transform
    self.next = next
    super.init(origin)
  }

  @inlinable
  deinit {
    if next != nil { Parallel<NewValue>.release(&next) }
  }

  @inlinable
  func pass(_ value: sending Value) {
    guard open(), let next else { return }
    self.next = nil
    let (parcel, transform) = (Parcel(value), transform)
    Trampoline.call {
      next(transform(parcel.take()))
    } orLater: {
      { next(transform(parcel.take())) }
    }
  }
}
