/// The whole state of an async in one word, and every move that it can make, as pure functions.
///
/// The low bits hold the phase; the middle holds the top of a stack of listeners, linked through `_Listener.next`, each
/// retained by its place in the stack; high bits, which no address of an object uses, count who will listen later.
///
/// | phase | means | the stack holds |
/// |---|---|---|
/// | pending | no result yet | who waits for it |
/// | claimed | one completer is storing the result | who waits for it |
/// | idle | completed, nobody is delivering | nothing |
/// | delivering | completed, one thread or context is delivering | who came since delivery last looked |
/// | abandoned | nobody can complete it any more | nothing |
/// | examined | one canceller or linker is looking at who waits, or one callback makes the async its own listener | who waits for it |
/// | linked | it stands in nobody's way: see `_AsyncState.link` | the async that it would follow, in place of a stack |
///
/// Who may move it, and what the memory orderings are for:
/// - *register* (anyone): pushes; releases, so that the deliverer sees the listener as it was made. On idle it pushes
///   nothing and makes the caller the deliverer; on abandoned it pushes nothing and has the caller let go of the listener.
/// - *claim* (anyone): pending to claimed. One caller wins; only that one may write the result.
/// - *publish* (the winner): claimed to idle, or to delivering when somebody waits, which makes the winner the
///   deliverer. It may collect in the same move. Releases the result; whoever reads a completed phase acquires it.
/// - *abandon* (whoever gives up the right to complete): pending to abandoned. Takes the stack (acquires the listeners).
/// - *examine* (a canceller, a linker, the first callback): pending to examined. Until it ends, that one alone may unlink and free listeners;
///   others still push. Whoever wants to claim or abandon meanwhile waits, for a few instructions.
/// - *end examination*: examined to pending, with what is left of the stack. Releases the links.
/// - *link* (who examines): examined to linked, when nobody has pushed meanwhile. *Unlink* (anyone who wants anything of
///   it): linked to pending; who does it then makes it follow the other async.
/// - *gain* and *lose interest* (anyone who will listen later, a sequence for instance): change the count alone.
/// - *collect* (the deliverer): takes the stack (acquires the listeners), or turns delivering into idle when it is empty.
///
/// There is one deliverer at a time, so callbacks of one async never overlap, and they come in the order registered.
@usableFromInline
struct StateWord: Hashable, Sendable {
  @usableFromInline
  enum Phase: UInt, Sendable {
    case pending = 0
    case claimed = 1
    case idle = 2
    case delivering = 3
    case abandoned = 4
    case examined = 5
    case linked = 6
  }

  /// How an async begins.
  @usableFromInline
  enum Beginning: Sendable {
    /// It may come to listen to another async.
    case pending
    /// It listens to none itself: somebody completes it, or abandons it.
    case promised
    case completed
  }

  /// What a caller that moved the word has to do next.
  enum Duty: Equatable, Sendable {
    /// Nothing: somebody else will, or nothing is to be done.
    case none
    /// Deliver: the caller is the deliverer now.
    case deliver
    /// Let go of the listener, which would never hear anything.
    case letGo
  }

  @usableFromInline let bits: UInt

  @usableFromInline
  init(bits: UInt) {
    self.bits = bits
  }

  /// Pending, and nobody has done anything to it yet; `nil` where an address leaves no bit for that.
  ///
  /// Every move takes the mark away: see `_AsyncState.listenToItself`.
  static var untouched: StateWord? { untouchedMark == 0 ? nil : StateWord(bits: untouchedMark) }

  init(beginning: Beginning) {
    self =
      switch beginning {
      case .pending: StateWord(.pending)
      case .promised: Self.untouched ?? StateWord(.pending)
      case .completed: StateWord(.idle)
      }
  }

  init(_ phase: Phase, top: UInt = 0, interest: UInt = 0) {
    bits = interest << Self.interestShift | top | phase.rawValue
  }

  private static let phaseMask: UInt = 0b111

  /// The most that can be counted; as many and more are taken for a crowd that never goes.
  static let mostInterest: UInt = interestMask >> interestShift

  #if _pointerBitWidth(_64)
    // Objects are aligned to 16 bytes, which leaves one bit more than the phase needs.
    private static let untouchedMark: UInt = 0b1000
    // Between the addresses of a program and the byte that some processors and allocators tag them in.
    private static let interestShift = 48
    private static let interestMask: UInt = 0x7F << 48
  #else
    private static let untouchedMark: UInt = 0
    // Objects are aligned to 16 bytes: one bit, so that one is a crowd.
    private static let interestShift = 3
    private static let interestMask: UInt = 0b1000
  #endif

  @inline(__always) var phase: Phase {
    switch bits & Self.phaseMask {
    case 0: .pending
    case 1: .claimed
    case 2: .idle
    case 3: .delivering
    case 4: .abandoned
    case 5: .examined
    default: .linked
    }
  }

  /// The address of the listener that came last, or 0; of the async that it would follow when it is linked.
  var top: UInt { bits & ~(Self.phaseMask | Self.untouchedMark | Self.interestMask) }

  /// How many will listen later, as far as it can be counted.
  var interest: UInt { (bits & Self.interestMask) >> Self.interestShift }

  /// Whether the result is there for everyone to read.
  @inlinable var isCompleted: Bool { bits & 0b110 == 0b010 }

  /// Registers a listener, whose `next` is this word's `top`.
  ///
  /// A linked one is unlinked first.
  func registering(_ listener: UInt) -> (next: StateWord, duty: Duty) {
    switch phase {
    case .pending, .claimed, .delivering, .examined, .linked:
      (StateWord(phase, top: listener, interest: interest), .none)
    case .idle: (StateWord(.delivering), .deliver)
    case .abandoned: (self, .letGo)
    }
  }

  /// Claims the right to store the result, or `nil` when somebody has it already, gave it up, or is looking who waits.
  func claiming() -> StateWord? {
    phase == .pending ? StateWord(.claimed, top: top, interest: interest) : nil
  }

  /// Gives up the right to store a result, or `nil` when somebody used it.
  func abandoning() -> StateWord? {
    phase == .pending ? StateWord(.abandoned) : nil
  }

  /// Begins to look at who waits, or `nil` when it is not pending.
  func examining() -> StateWord? {
    phase == .pending ? StateWord(.examined, top: top, interest: interest) : nil
  }

  /// Ends the examination, with what is left of the stack.
  func endingExamination(top: UInt) -> StateWord {
    StateWord(.pending, top: top, interest: interest)
  }

  /// Whether there will perhaps be a result, and is none yet.
  private var awaitsResult: Bool {
    switch phase {
    case .pending, .claimed, .examined: true
    case .idle, .delivering, .abandoned, .linked: false
    }
  }

  /// Counts one more who will listen later, or `nil` when nobody needs to any more.
  func gainingInterest() -> StateWord? {
    guard awaitsResult else { return nil }
    return StateWord(phase, top: top, interest: min(interest + 1, Self.mostInterest))
  }

  /// Counts one less, or `nil` when that changes nothing any more.
  func losingInterest() -> StateWord? {
    guard awaitsResult, 1..<Self.mostInterest ~= interest else { return nil }
    return StateWord(phase, top: top, interest: interest - 1)
  }

  /// Makes it linked to another async, in whose stack its only listener will be.
  func linking(to other: UInt) -> StateWord {
    StateWord(.linked, top: other)
  }

  /// Makes a linked one pending again, to follow what it was linked to, or `nil` when it is not linked.
  func unlinking() -> StateWord? {
    phase == .linked ? StateWord(.pending) : nil
  }

  /// Shows the stored result to everyone.
  func publishing() -> (next: StateWord, duty: Duty) {
    top == 0 ? (StateWord(.idle), .none) : (StateWord(.delivering, top: top), .deliver)
  }

  /// Takes the listeners that wait for the deliverer, or ends delivery when there are none.
  ///
  /// Made by the winner of a claim, it shows the stored result too.
  func collecting() -> (next: StateWord, top: UInt) {
    top == 0 ? (StateWord(.idle), 0) : (StateWord(.delivering), top)
  }
}
