/// The asyncs that were completed on the way and still have listeners to tell, first come first served.
///
/// It takes the place of the call stack: completing a future inside a reaction queues it here, so a chain of a million
/// futures completes in constant stack. The links are the asyncs' own `next`, free once they left their source's list.
@usableFromInline
struct ReadyQueue {
  private var head: Unmanaged<_Listener>?
  private var tail: Unmanaged<_Listener>?

  @usableFromInline
  init() {}

  /// Adds an async that its source has just completed, and keeps it alive.
  mutating func append(_ async: _AsyncState) {
    let entry = Unmanaged<_Listener>.passRetained(async)
    assert(async.next == nil, "Cannot queue an async that is still in a list.")
    if let tail { tail._withUnsafeGuaranteedRef { $0.next = entry } } else { head = entry }
    tail = entry
  }

  /// Moves all of another queue to the end of this one.
  mutating func append(contentsOf other: inout ReadyQueue) {
    guard let first = other.head else { return }
    if let tail { tail._withUnsafeGuaranteedRef { $0.next = first } } else { head = first }
    tail = other.tail
    other = ReadyQueue()
  }

  mutating func popFirst() -> _AsyncState? {
    guard let entry = head else { return nil }
    let listener = entry.takeRetainedValue()
    head = listener.next
    listener.next = nil
    if head == nil { tail = nil }
    return unsafeDowncast(listener, to: _AsyncState.self)
  }
}
