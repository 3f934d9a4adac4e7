internal import Synchronization

/// The state of an async without its value: who waits, and who tells them.
///
/// Part of the machine under ``Async``; there is nothing to call. It is public because a public class inherits it, and
/// not generic because generic code costs more than the atomics do.
///
/// `@unchecked Sendable`: everything goes through `word` and `upstream`; see `StateWord` for who may move the first, and
/// `Cancellation.swift` for the second.
public class _AsyncState: _Listener, @unchecked Sendable {
  private final let word: Atomic<UInt>
  /// What this waits for, retained; or 0, or 1 when it was cancelled, or 2 while somebody adds to it.
  final let upstream = Atomic<UInt>(0)

  @usableFromInline
  init(_ beginning: StateWord.Beginning, reaction: @escaping Reaction) {
    word = Atomic(StateWord(beginning: beginning).bits)
    super.init(reaction: reaction)
  }

  deinit {
    // Nobody else can reach the words here.
    let last = loadWord()
    let awaited = upstream.load(ordering: .acquiring)
    if last.phase == .linked {
      Nesting.current.release(last.top)
    } else if let list = unmanaged(last.top) {
      Nesting.current.letGo(of: list)
    }
    if awaited > 1 { Nesting.current.release(awaited) }
  }

  /// Whether the result is there; the acquiring load makes it readable.
  @usableFromInline final var hasResult: Bool { unlinkedWord().isCompleted }

  /// Whether nothing will change any more: the result is there, or will never be.
  @usableFromInline final var isSettled: Bool {
    let current = loadWord()
    return current.isCompleted || current.phase == .abandoned
  }

  // MARK: Completing

  /// Whether the caller won the right to store the result.
  ///
  /// A caller that lost returns only when the result is there, so that completion is one instant for everyone. The
  /// wait is as long as the winner takes to store one value, and runs no foreign code.
  @usableFromInline
  final func claim() -> Bool {
    while true {
      let current = unlinkedWord()
      if let next = current.claiming() {
        if exchange(current, next) { return true }
      } else if current.phase == .claimed || current.phase == .examined {
        yieldThread()
      } else {
        return false
      }
    }
  }

  /// Shows the stored result, lets go of what was waited for, and tells the listeners before it returns.
  @usableFromInline
  final func publishAndDeliver() {
    while true {
      let current = StateWord(bits: word.load(ordering: .relaxed))
      let (next, top) = current.collecting()
      guard exchange(current, next) else { continue }
      dropUpstream()
      if let list = unmanaged(top) { Nesting.withCurrent { $0.deliver(self, first: reversed(list)) } }
      return
    }
  }

  /// Shows the stored result from inside a reaction; whoever runs that reaction tells the listeners.
  @usableFromInline
  final func publish(to ready: inout ReadyQueue) {
    while true {
      let current = StateWord(bits: word.load(ordering: .relaxed))
      let (next, duty) = current.publishing()
      guard exchange(current, next) else { continue }
      dropUpstream()
      if duty == .deliver { ready.append(self) }
      return
    }
  }

  /// Completes as a completed async of the same type has.
  func complete(from source: _AsyncState) {}

  /// Completes as a completed async of the same type has, from inside a reaction.
  func complete(from source: _AsyncState, _ ready: inout ReadyQueue) {}

  /// Completes with the error that stands for a cancellation, if the type of error has one.
  func completeAsCancelled() {}

  // MARK: Interest

  override var interest: Interest {
    if isSettled { .ended } else { isCancelled ? .resigned : .wanted }
  }

  override var isActive: Bool { !isSettled }

  override var isOver: Bool { isSettled }

  /// An async that has nothing to do itself is in a list only to follow.
  override var isFollower: Bool { true }

  /// Hears that one listener has ended or was cancelled, and is cancelled itself when nobody else wants it.
  override func leave(isCancelled: Bool) {
    if isUnwanted() { cancelAll() }
  }

  // MARK: Registering

  /// Adds a listener, or tells it at once when the result is there and nobody is telling others.
  @usableFromInline
  final func register(_ listener: _Listener) {
    let entry = Unmanaged.passRetained(listener)
    while true {
      let current = unlinkedWord()
      listener.next = unmanaged(current.top)
      let (next, duty) = current.registering(UInt(bitPattern: entry.toOpaque()))
      guard exchange(current, next) else { continue }
      switch duty {
      case .none: break
      case .deliver: Nesting.withCurrent { $0.deliver(self, first: entry) }
      case .letGo: Nesting.current.letGo(of: entry)
      }
      return
    }
  }

  /// Adds a listener that is the machine's own and keeps no order with callbacks, unless the result is there already.
  @usableFromInline
  final func registerUnlessCompleted(_ listener: _Listener) -> Bool {
    let entry = Unmanaged.passRetained(listener)
    while true {
      let current = unlinkedWord()
      if current.isCompleted {
        // Completed after an attempt: the caller may queue the listener next, and would queue who was there with it.
        listener.next = nil
        entry.release()
        return false
      }
      listener.next = unmanaged(current.top)
      let (next, duty) = current.registering(UInt(bitPattern: entry.toOpaque()))
      guard exchange(current, next) else { continue }
      if duty == .letGo { Nesting.current.letGo(of: entry) }
      return true
    }
  }

  /// Becomes the deliverer of a completed async that nobody is delivering, to run one callback without a listener.
  ///
  /// Whoever gets `true` calls ``endDelivery()`` after it.
  @usableFromInline
  final func beginDelivery() -> Bool {
    word.load(ordering: .relaxed) == StateWord(.idle).bits
      && exchange(StateWord(.idle), StateWord(.delivering))
  }

  @usableFromInline
  final func endDelivery() {
    if !exchange(StateWord(.delivering), StateWord(.idle)) {
      Nesting.current.deliver(self)
    }
  }

  // MARK: Delivering

  /// Tells listeners until there are none, or until one of them goes on in a context of its own, which then continues.
  final func deliver(to first: Unmanaged<_Listener>?, _ ready: inout ReadyQueue) {
    var list = first
    while true {
      if let rest = list {
        guard tell(rest, &ready) else { return }
        list = nil
      }
      let current = StateWord(bits: word.load(ordering: .relaxed))
      let (next, top) = current.collecting()
      guard exchange(current, next) else { continue }
      guard let taken = unmanaged(top) else { return }
      list = reversed(taken)
    }
  }

  /// Tells the listeners of a list, in order; `false` when a context has taken over the rest.
  private func tell(_ first: Unmanaged<_Listener>, _ ready: inout ReadyQueue) -> Bool {
    var rest: Unmanaged<_Listener>? = first
    while let entry = rest {
      let listener = entry.takeRetainedValue()
      rest = listener.next
      listener.next = nil
      guard let context = listener.reaction(listener, self, &ready, false) else { continue }
      if !Turn.handOver(listener, of: self, rest: rest, to: context, &ready) { return false }
    }
    return true
  }

  /// The listeners of a stack, first come first; before them those who wait, so that no callback's context holds them up.
  private func reversed(_ list: Unmanaged<_Listener>) -> Unmanaged<_Listener> {
    guard list._withUnsafeGuaranteedRef({ $0.next }) != nil else { return list }
    var result: Unmanaged<_Listener>?
    var waiting: Unmanaged<_Listener>?
    var lastWaiting: Unmanaged<_Listener>?
    var rest: Unmanaged<_Listener>? = list
    while let entry = rest {
      rest = entry._withUnsafeGuaranteedRef { $0.next }
      if entry._withUnsafeGuaranteedRef({ $0.isWaiting }) {
        entry._withUnsafeGuaranteedRef { $0.next = waiting }
        waiting = entry
        if lastWaiting == nil { lastWaiting = entry }
      } else {
        entry._withUnsafeGuaranteedRef { $0.next = result }
        result = entry
      }
    }
    lastWaiting?._withUnsafeGuaranteedRef { $0.next = result }
    return waiting ?? result ?? list
  }

  // MARK: Letting go

  /// Lets go of the listeners, those that are there and those that come, of an async that nobody can complete any more.
  @usableFromInline
  final func abandon() {
    while true {
      let current = loadWord()
      guard let next = current.abandoning() else {
        guard current.phase == .examined else { return }
        yieldThread()
        continue
      }
      guard exchange(current, next) else { continue }
      dropUpstream()
      if let list = unmanaged(current.top) { Nesting.current.letGo(of: list) }
      return
    }
  }

  /// A future that waits for one that will never be completed will never be completed.
  override func giveUp() {
    abandon()
    reaction = unexpectedReaction
  }

  // MARK: The word

  /// The word, of an async that is not linked: one that was is made to follow the other, as anybody would expect of it.
  final func unlinkedWord() -> StateWord {
    while true {
      let current = loadWord()
      guard current.phase == .linked else { return current }
      unlink()
    }
  }

  final func loadWord() -> StateWord { StateWord(bits: word.load(ordering: .sequentiallyConsistent)) }

  /// Moves the word, if it still is what it was.
  ///
  /// Acquires and releases in every move, which is more than some of them need and costs nothing on most machines; see
  /// `StateWord` for what relies on it. And it is in one order with what happens to `upstream`: one thread completes this
  /// and looks what it waits for, one adds to that and looks whether this is completed, and one of the two has to see the
  /// other.
  final func exchange(_ current: StateWord, _ next: StateWord) -> Bool {
    word.compareExchange(
      expected: current.bits, desired: next.bits, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed
    ).exchanged
  }

  final func unmanaged(_ address: UInt) -> Unmanaged<_Listener>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}
