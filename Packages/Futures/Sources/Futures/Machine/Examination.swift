internal import Synchronization

/// Looking at who waits for a pending async, alone, while others may still come.
///
/// The examiner holds the word in a phase of its own for the time of a few loads, and runs no foreign code in it. What it
/// takes out of the stack is let go of afterwards.
extension _AsyncState {
  /// Whether it is pending and nobody wants it any more.
  ///
  /// Takes listeners that have ended out of the stack on the way.
  ///
  /// The first listener that wants the result decides, and mostly ends the search. But it may hide others that have
  /// ended, as in waits that overlap on one async that outlives them all; so now and then the search goes on behind it,
  /// twice as far half as often. Listeners that have ended therefore do not pile up, and each search costs the logarithm
  /// of how many there are.
  final func isUnwanted() -> Bool {
    while let examined = beginExamination() {
      var head = unmanaged(examined.top)
      var ended: Unmanaged<_Listener>?
      var last: Unmanaged<_Listener>?
      var rest = head
      var isWanted = false
      var patience = 0
      while let entry = rest, !isWanted || patience > 0 {
        rest = entry._withUnsafeGuaranteedRef { $0.next }
        let interest = entry._withUnsafeGuaranteedRef { $0.interest }
        switch interest {
        case .wanted, .resigned:
          last = entry
          if isWanted {
            patience -= 1
          } else if interest == .wanted {
            isWanted = true
            patience = Nesting.current.drawPatience()
          }
        case .ended:
          if let last { last._withUnsafeGuaranteedRef { $0.next = rest } } else { head = rest }
          entry._withUnsafeGuaranteedRef { $0.next = ended }
          ended = entry
        }
      }
      let (hasNewcomers, isWantedLater) = endExamination(of: examined, leaving: head)
      if let ended { Nesting.current.letGo(of: ended) }
      if isWanted || isWantedLater { return false }
      // Who has come meanwhile may have ended meanwhile, or before, and would find nobody else to ask again.
      if !hasNewcomers { return true }
    }
    return false
  }

  /// Notes that somebody will listen later, so that it is wanted.
  final func gainInterest() {
    while true {
      let current = unlinkedWord()
      guard let next = current.gainingInterest() else { return }
      if exchange(current, next) { return }
    }
  }

  /// Notes that one of those who would have listened later will not.
  final func loseInterest() {
    while true {
      let current = unlinkedWord()
      guard let next = current.losingInterest() else { return }
      if exchange(current, next) { return }
    }
  }

  /// Takes out listeners that have ended, and cancels nothing.
  final func tidy() {
    _ = isUnwanted()
  }

  /// The word as it is examined, or `nil` when the async is not pending.
  private func beginExamination() -> StateWord? {
    while true {
      let current = unlinkedWord()
      if let next = current.examining() {
        if exchange(current, next) { return next }
      } else if current.phase == .claimed || current.phase == .examined {
        yieldThread()
      } else {
        return nil
      }
    }
  }

  /// Ends the examination with what is left of the stack, and says whether listeners have come meanwhile and will come.
  @discardableResult
  private func endExamination(
    of examined: StateWord, leaving head: Unmanaged<_Listener>?
  ) -> (hasNewcomers: Bool, isWantedLater: Bool) {
    var oldest: Unmanaged<_Listener>?
    while true {
      let current = loadWord()
      if current.top != examined.top, oldest == nil {
        // The first that came holds on to the old top.
        oldest = unmanaged(current.top)
        while let newcomer = oldest, newcomer._withUnsafeGuaranteedRef({ address(of: $0.next) }) != examined.top {
          oldest = newcomer._withUnsafeGuaranteedRef { $0.next }
        }
        oldest?._withUnsafeGuaranteedRef { $0.next = head }
      }
      let top = current.top == examined.top ? address(of: head) : current.top
      if exchange(current, current.endingExamination(top: top)) {
        return (oldest != nil, current.interest > 0)
      }
    }
  }

  private func address(of listener: Unmanaged<_Listener>?) -> UInt {
    listener.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
  }

  // MARK: Listening to itself

  /// Makes this its own first listener, which takes no object for it, unless anything has happened to it before.
  ///
  /// Only one that a promise completes may: it listens to nothing else, and `reaction` is free. Whoever installs that
  /// examines, so that nobody completes or abandons meanwhile.
  ///
  /// - Parameter reaction: Called once, when the result is there; it has to reset `reaction`, so that the callback goes.
  @usableFromInline
  final func listenToItself(_ reaction: @escaping Reaction) -> Bool {
    guard let untouched = StateWord.untouched, loadWord() == untouched,
      let examined = untouched.examining(), exchange(untouched, examined)
    else { return false }
    self.reaction = reaction
    endExamination(of: examined, leaving: Unmanaged.passRetained(self))
    return true
  }

  // MARK: Linking

  /// Gets itself out of the way of the one future that follows it, when it is to follow another one itself.
  ///
  /// In a recursive `flatMap`, each step's future follows the next step's and is followed by the one before: a chain as
  /// long as the recursion, of futures that nobody looks at. So the follower is made to follow `other` directly, and
  /// this one, which keeps nothing alive but a reference to `other`, is free to go. If somebody does hold it, and ever
  /// asks anything of it, it is made to follow `other` then, and is one of those who want it from then on.
  ///
  /// This is what the literature calls link promises; here the link points from the outer to the inner one, so that
  /// cancelling one future never reaches who did not wait for it.
  ///
  /// - Returns: `false` when this is not such a case, and nothing was done.
  final func link(to other: _AsyncState, _ ready: inout ReadyQueue) -> Bool {
    guard !other.isSettled, !isCancelled, let examined = beginExamination() else { return false }
    let follower = unmanaged(examined.top).flatMap { entry in
      entry._withUnsafeGuaranteedRef { $0.next == nil && $0.isFollower && $0 !== other && examined.interest == 0 }
        ? entry : nil
    }
    let target = Unmanaged<_Upstream>.passRetained(other)
    let awaited = upstream.load(ordering: .acquiring)
    guard let follower, exchange(examined, examined.linking(to: UInt(bitPattern: target.toOpaque()))) else {
      target.release()
      endExamination(of: examined, leaving: unmanaged(examined.top))
      return false
    }
    // Only that: once it is linked, whoever asks it makes it wait for `other`, which is not over.
    dropUpstream(awaited)
    let outer = unsafeDowncast(follower.takeRetainedValue(), to: _AsyncState.self)
    let isWaiting = outer.wait(for: other, insteadOf: self)
    if !outer.isSettled, !other.registerUnlessCompleted(outer) { outer.complete(from: other, &ready) }
    // It was cancelled meanwhile, and whoever did it found this one waiting for something else, or for nothing any more.
    if !isWaiting { Nesting.current.leave(other, isCancelled: true) }
    return true
  }

  /// Makes a linked async follow what it was linked to.
  ///
  /// That one may be linked as well, and so on: all of them follow the next, from the far end.
  final func unlink() {
    var waiting: [(async: _AsyncState, target: Unmanaged<_Upstream>)] = []
    var next = self
    while true {
      let current = next.loadWord()
      guard current.phase == .linked, let pending = current.unlinking(), next.exchange(current, pending),
        let pointer = UnsafeRawPointer(bitPattern: current.top)
      else { break }
      let target = Unmanaged<_Upstream>.fromOpaque(pointer)
      waiting.append((next, target))
      next = unsafeDowncast(target.takeUnretainedValue(), to: _AsyncState.self)
    }
    while let (async, reference) = waiting.popLast() {
      let target = unsafeDowncast(reference.takeRetainedValue(), to: _AsyncState.self)
      let isWaiting = async.wait(for: target)
      if !target.registerUnlessCompleted(async) { async.complete(from: target) }
      if !isWaiting { Nesting.current.leave(target, isCancelled: true) }
    }
  }
}
