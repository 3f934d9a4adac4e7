/// A circular list of retained listeners, in the order of their registration.
///
/// The lock of the async that owns the list guards it.
struct ListenerList {
  /// The last listener, whose `next` is the first one.
  private var last: Unmanaged<_Listener>?

  var isEmpty: Bool { last == nil }

  var only: _Listener? {
    guard let last, last._withUnsafeGuaranteedRef({ $0.next?.toOpaque() }) == last.toOpaque() else { return nil }
    return last.takeUnretainedValue()
  }

  mutating func append(_ listener: _Listener) {
    prepend(listener)
    last = first
  }

  mutating func prepend(_ listener: _Listener) {
    let entry = Unmanaged.passRetained(listener)
    listener.next = first ?? entry
    if let last { last._withUnsafeGuaranteedRef { $0.next = entry } } else { last = entry }
  }

  /// Adds a listener behind the handlers at the beginning that leave an upstream.
  mutating func insertBehindUpstreamHandlers(_ listener: _Listener) {
    var previous: Unmanaged<_Listener>?
    visit(while: { handler in
      guard handler is UpstreamHandler else { return false }
      previous = Unmanaged.passUnretained(handler)
      return true
    })
    guard let previous else { return prepend(listener) }
    guard previous.toOpaque() != last?.toOpaque() else { return append(listener) }
    let entry = Unmanaged.passRetained(listener)
    listener.next = previous._withUnsafeGuaranteedRef { $0.next }
    previous._withUnsafeGuaranteedRef { $0.next = entry }
  }

  private var first: Unmanaged<_Listener>? { last?._withUnsafeGuaranteedRef { $0.next } }

  mutating func take() -> ListenerList {
    let taken = self
    last = nil
    return taken
  }

  mutating func popFirst() -> _Listener? {
    guard let entry = first else { return nil }
    let listener = entry.takeRetainedValue()
    if entry.toOpaque() == last?.toOpaque() {
      last = nil
    } else {
      let second = listener.next
      last?._withUnsafeGuaranteedRef { $0.next = second }
    }
    listener.next = nil
    return listener
  }

  func forEach(_ body: (_Listener) -> Void) {
    visit(while: { listener in
      body(listener)
      return true
    })
  }

  @inline(__always)
  func visit(while body: (_Listener) -> Bool) {
    guard let last else { return }
    var entry = last
    repeat {
      guard let next = entry._withUnsafeGuaranteedRef({ $0.next }) else { return }
      entry = next
      guard entry._withUnsafeGuaranteedRef(body) else { return }
    } while entry.toOpaque() != last.toOpaque()
  }

  /// The listeners that a search has removed.
  ///
  /// The caller releases both lists without the lock.
  struct Sweep {
    var dropped = ListenerList()
    /// Asyncs with an unwanted result.
    ///
    /// They register again when they get a listener.
    var unwanted = ListenerList()
  }

  mutating func sweep(of owner: _AsyncCore, removesUnwanted: Bool) -> (removed: Sweep, kept: Int) {
    var (all, kept, removed, count) = (take(), ListenerList(), Sweep(), 0)
    while let entry = all.first {
      all.removeFirst()
      if entry._withUnsafeGuaranteedRef({ $0.hasEnded }) {
        removed.dropped.append(entry)
      } else if removesUnwanted || isOnlyReference(entry),
        entry._withUnsafeGuaranteedRef({ $0.isUnwanted(lockedBy: owner) })
      {
        removed.unwanted.append(entry)
      } else {
        kept.append(entry)
        count += 1
      }
    }
    self = kept
    return (removed, count)
  }

  /// Whether only this list retains the entry.
  ///
  /// Another thread may load a weak reference to it at the same time, so it can have a listener again.
  private func isOnlyReference(_ entry: Unmanaged<_Listener>) -> Bool {
    var listener = entry.takeRetainedValue()
    let isUnique = isKnownUniquelyReferenced(&listener) && listener.isOnlyOwner
    _ = Unmanaged.passRetained(listener)
    return isUnique
  }

  private mutating func append(_ entry: Unmanaged<_Listener>) {
    let next = first ?? entry
    entry._withUnsafeGuaranteedRef { $0.next = next }
    last?._withUnsafeGuaranteedRef { $0.next = entry }
    last = entry
  }

  private mutating func removeFirst() {
    guard let last, let entry = first else { return }
    if entry.toOpaque() == last.toOpaque() {
      self.last = nil
    } else {
      let second = entry._withUnsafeGuaranteedRef { $0.next }
      last._withUnsafeGuaranteedRef { $0.next = second }
    }
    entry._withUnsafeGuaranteedRef { $0.next = nil }
  }
}
