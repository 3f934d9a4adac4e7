internal import Synchronization

/// The values of one `zip` as they arrive: a countdown, and a stack of the slots that have their value.
///
/// A slot keeps the gathering alive and joins its stack only once its value is there, so a run that never ends holds
/// no cycle. All of it is one object for the gathering and one for each slot.
final class Gathering<each Value>: Sendable {
  private let remaining: Atomic<Int>
  private let arrived = ArrivalStack()
  private let receiver: Receiver<(repeat each Value)>

  /// A gathering that waits for each slot, and for one ``arrive()`` of whoever starts them, so that an empty `zip`
  /// answers too.
  init(for receiver: Receiver<(repeat each Value)>) {
    var count = 1
    for _ in repeat (each Value).self { count += 1 }
    remaining = Atomic(count)
    self.receiver = receiver
  }

  /// The receiver of the value at a position from 0, which moves on to the next one.
  func slot<Element>(at position: inout UInt32) -> Slot<Element> {
    defer { position += 1 }
    return Slot(at: position) { slot in
      self.arrived.push(slot)
      self.arrive()
    }
  }

  /// Counts down; the last one to arrive passes the values on.
  func arrive() {
    // Acquire and release: whoever counts to zero has every push before it, and is alone from then on.
    guard remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    var position: UInt32 = 0
    let values = (repeat takeValue(of: (each Value).self, at: &position))
    receiver.deliver(Parcel(unchecked: values).take())
  }

  private func takeValue<Element>(of type: Element.Type, at position: inout UInt32) -> Element {
    defer { position += 1 }
    guard let slot = arrived.first(at: position), let value = unsafeDowncast(slot, to: Slot<Element>.self).value.take()
    else {
      preconditionFailure("Cannot complete a zip: a slot counted down before it stored its value.")
    }
    return value
  }
}

/// The place of one value in a gathering.
///
/// `@unchecked Sendable`: both properties are written by the one caller that `Receiver` lets through, before the slot
/// is pushed, and `value` is taken by the one that counted down to zero.
final class Slot<Element>: Receiver<Element>, @unchecked Sendable {
  fileprivate var value: Element?
  private var arrive: (@Sendable (Slot<Element>) -> Void)?

  init(at position: UInt32, arrive: @escaping @Sendable (Slot<Element>) -> Void) {
    self.arrive = arrive
    super.init(position: position)
  }

  override func receive(_ value: sending Element) {
    self.value = value
    // The stack of the gathering holds this slot from now on, so the slot must let go of the gathering.
    let arrive = arrive.take()
    arrive?(self)
  }
}
