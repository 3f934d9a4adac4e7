import Testing

@testable import Futures

/// Every interleaving of a few threads on one async, each step one move of the word as the machine makes it.
///
/// A thread reads the word in one step and exchanges it in another, so that all the ways in which an exchange can fail
/// are among the schedules. Telling a listener takes two steps, beginning and end, so that an overlap would show.
struct Schedules {
  /// What one thread wants of the async.
  enum Intent: Hashable {
    /// To register a listener of its own; it is told once.
    case register
    /// To make the async its own first listener if nothing has happened to it, and to register otherwise.
    case listenToItself
    /// To register a listener that wants to hear nothing when the result is there already.
    case registerUnlessCompleted
    /// To complete it, taking who waits in the same move, and then deliver if somebody does.
    case complete
    /// To complete it from inside a reaction, and deliver later if that is its duty.
    case completeInReaction
    /// To run one callback without a listener if it may, as `map` does, and to register otherwise.
    case reactNow
    /// To give up the right to complete it, which nobody else has then.
    case abandon
    /// To look at who waits, and to take the oldest of them out of the stack.
    case examine
  }

  /// Where a thread is in what it does.
  ///
  /// A word in it is the one that it read.
  private enum Step: Hashable {
    case start
    case exchange(StateWord)
    case store
    case publish
    case exchangePublishing(StateWord)
    case collect
    case exchangeCollecting(StateWord)
    case look(StateWord)
    case endExamination(StateWord, left: UInt)
    case exchangeEnding(StateWord, left: UInt, StateWord)
    case begin([UInt])
    case end([UInt])
    case reacting
    case endDelivery
    case done
  }

  private struct Situation: Hashable {
    var word = StateWord(beginning: .promised)
    var steps: [Step]
    /// The links between listeners, by address.
    var links: [UInt: UInt] = [:]
    var told: [UInt: Int] = [:]
    var letGo: [UInt: Int] = [:]
    var isStored = false
    var examiners: Set<Int> = []
    var takenOut: [UInt] = []
    var deliverers: Set<Int> = []
    var wins = 0
    /// The listeners in the order in which they were pushed since the last that was told.
    var registered: [UInt] = []
    var order: [UInt] = []
  }

  private static let completing: Set<Intent> = [.complete, .completeInReaction]

  let intents: [Intent]
  private var seen: Set<Situation> = []
  /// How many different situations there are.
  var count: Int { seen.count }
  /// What was found wrong, each once.
  private(set) var faults: Set<String> = []

  init(_ intents: [Intent]) {
    self.intents = intents
    explore(Situation(steps: intents.map { _ in .start }))
  }

  private static func address(_ thread: Int) -> UInt { UInt(thread + 1) * 16 }

  private mutating func explore(_ first: Situation) {
    var open = [first]
    seen.insert(first)
    while let situation = open.popLast() {
      let threads = intents.indices.filter { situation.steps[$0] != .done }
      if threads.isEmpty { checkEnd(situation) }
      for thread in threads {
        let next = step(thread, situation)
        if seen.insert(next).inserted { open.append(next) }
      }
    }
  }

  private mutating func checkEnd(_ situation: Situation) {
    let completes = intents.contains(where: Self.completing.contains)
    let abandons = intents.contains(.abandon)
    if abandons, situation.word != StateWord(.abandoned) { faults.insert("ends as \(situation.word)") }
    if completes, situation.word != StateWord(.idle) { faults.insert("ends as \(situation.word)") }
    if situation.wins > 1 { faults.insert("two completions") }
    if !situation.deliverers.isEmpty { faults.insert("delivery does not end") }
    if !situation.examiners.isEmpty { faults.insert("an examination does not end") }
    for thread in intents.indices
    where !Self.completing.contains(intents[thread]) && ![.abandon, .examine].contains(intents[thread])
      && !situation.takenOut.contains(Self.address(thread))
    {
      let lost = situation.letGo[Self.address(thread), default: 0]
      if lost != (abandons ? 1 : 0) { faults.insert("\(intents[thread]) was let go of \(lost) times") }
      let count = situation.told[Self.address(thread), default: 0]
      if count != (completes ? 1 : 0) { faults.insert("\(intents[thread]) was told \(count) times") }
    }
    if completes, situation.order != situation.registered { faults.insert("told out of order") }
  }

  // MARK: One step of one thread

  private mutating func step(_ thread: Int, _ now: Situation) -> Situation {
    var next = now
    switch now.steps[thread] {
    case .start: next.steps[thread] = .exchange(now.word)
    case .exchange(let read): move(thread, from: read, &next)
    case .store:
      next.isStored = true
      next.steps[thread] = .publish
    case .publish: next.steps[thread] = .exchangePublishing(now.word)
    case .exchangePublishing(let read) where intents[thread] == .complete:
      let (word, top) = read.collecting()
      guard exchange(thread, read, word, retrying: .publish, &next) else { break }
      if top != 0 { startDelivery(thread, &next) }
      next.steps[thread] = top == 0 ? .done : .begin(list(from: top, next))
    case .exchangePublishing(let read):
      let (word, duty) = read.publishing()
      guard exchange(thread, read, word, retrying: .publish, &next) else { break }
      if duty == .deliver { startDelivery(thread, &next) }
      next.steps[thread] = duty == .deliver ? .collect : .done
    case .collect: next.steps[thread] = .exchangeCollecting(now.word)
    case .exchangeCollecting(let read):
      let (word, top) = read.collecting()
      guard exchange(thread, read, word, retrying: .collect, &next) else { break }
      if top == 0 { next.deliverers.remove(thread) }
      next.steps[thread] = top == 0 ? .done : .begin(list(from: top, next))
    case .begin(let list): next.steps[thread] = .end(list)
    case .end(let list):
      tell(list[0], &next)
      next.steps[thread] = list.count > 1 ? .begin(Array(list.dropFirst())) : .collect
    case .reacting:
      tell(Self.address(thread), &next)
      next.steps[thread] = .endDelivery
    case .endDelivery:
      let isFree = next.word == StateWord(.delivering)
      if isFree {
        next.word = StateWord(.idle)
        next.deliverers.remove(thread)
      }
      next.steps[thread] = isFree ? .done : .collect
    case .look(let read):
      next.steps[thread] = .endExamination(read, left: takeOutOldest(from: read.top, &next))
    case .endExamination(let examined, let left): next.steps[thread] = .exchangeEnding(examined, left: left, now.word)
    case .exchangeEnding(let examined, let left, let read):
      if read.top != examined.top { relink(from: read.top, to: examined.top, left, &next) }
      let word = read.endingExamination(top: read.top == examined.top ? left : read.top)
      let isDone = exchange(thread, read, word, retrying: .endExamination(examined, left: left), &next)
      if isDone {
        next.examiners.remove(thread)
        next.steps[thread] = .done
      }
    case .done: break
    }
    return next
  }

  /// Takes the listener that came first out of a stack, and gives the new top.
  private mutating func takeOutOldest(from top: UInt, _ next: inout Situation) -> UInt {
    let stack = Array(list(from: top, next).reversed())
    guard let oldest = stack.last else { return 0 }
    next.takenOut.append(oldest)
    next.registered.removeAll { $0 == oldest }
    guard stack.count > 1 else { return 0 }
    next.links[stack[stack.count - 2]] = 0
    return top
  }

  /// Makes the newcomer that holds on to the old top hold on to what is left.
  private func relink(from top: UInt, to old: UInt, _ left: UInt, _ next: inout Situation) {
    var newcomer = top
    while let following = next.links[newcomer], following != old, following != left { newcomer = following }
    next.links[newcomer] = left
  }

  private mutating func move(_ thread: Int, from read: StateWord, _ next: inout Situation) {
    let address = Self.address(thread)
    switch intents[thread] {
    case .complete, .completeInReaction:
      guard let word = read.claiming() else {
        // A loser returns when the result is there, and reads the word again until then.
        next.steps[thread] = read.isCompleted ? .done : .start
        if read.isCompleted, !next.isStored { faults.insert("a loser sees no result") }
        return
      }
      guard exchange(thread, read, word, retrying: .start, &next) else { return }
      next.wins += 1
      next.steps[thread] = .store
    case .abandon:
      guard let word = read.abandoning() else {
        if read.phase == .examined {
          next.steps[thread] = .start
          return
        }
        faults.insert("somebody else completed it")
        next.steps[thread] = .done
        return
      }
      guard exchange(thread, read, word, retrying: .start, &next) else { return }
      for listener in list(from: read.top, next) { next.letGo[listener, default: 0] += 1 }
      next.steps[thread] = .done
    case .examine:
      guard let word = read.examining() else {
        next.steps[thread] = read.phase == .claimed || read.phase == .examined ? .start : .done
        return
      }
      guard exchange(thread, read, word, retrying: .start, &next) else { return }
      next.examiners.insert(thread)
      if next.examiners.count > 1 { faults.insert("two examiners at a time") }
      next.steps[thread] = .look(word)
    case .registerUnlessCompleted where read.isCompleted:
      readResult(next)
      next.told[address, default: 0] += 1
      next.steps[thread] = .done
    case .reactNow where read == StateWord(.idle):
      guard exchange(thread, read, StateWord(.delivering), retrying: .start, &next) else { return }
      startDelivery(thread, &next)
      next.registered.append(address)
      next.steps[thread] = .reacting
    case .listenToItself where read == StateWord.untouched:
      guard let word = read.examining() else { return }
      guard exchange(thread, read, word, retrying: .start, &next) else { return }
      next.examiners.insert(thread)
      next.registered.append(address)
      next.links[address] = 0
      next.steps[thread] = .endExamination(word, left: address)
    case .register, .listenToItself, .registerUnlessCompleted, .reactNow:
      let (word, duty) = read.registering(address)
      guard exchange(thread, read, word, retrying: .start, &next) else { return }
      switch duty {
      case .letGo:
        next.letGo[address, default: 0] += 1
        next.steps[thread] = .done
      case .deliver:
        next.registered.append(address)
        startDelivery(thread, &next)
        next.steps[thread] = .begin([address])
      case .none:
        next.registered.append(address)
        next.links[address] = read.top
        next.steps[thread] = .done
      }
    }
  }

  private func exchange(
    _ thread: Int, _ read: StateWord, _ word: StateWord, retrying: Step, _ next: inout Situation
  ) -> Bool {
    guard next.word == read else {
      next.steps[thread] = retrying
      return false
    }
    next.word = word
    return true
  }

  private mutating func startDelivery(_ thread: Int, _ next: inout Situation) {
    next.deliverers.insert(thread)
    if next.deliverers.count > 1 { faults.insert("two deliverers at a time") }
  }

  private mutating func tell(_ listener: UInt, _ next: inout Situation) {
    readResult(next)
    next.told[listener, default: 0] += 1
    next.order.append(listener)
  }

  private mutating func readResult(_ situation: Situation) {
    if !situation.isStored { faults.insert("the result is read before it is there") }
  }

  /// The listeners of a stack, first come first.
  private func list(from top: UInt, _ situation: Situation) -> [UInt] {
    var list: [UInt] = []
    var rest = top
    while rest != 0 {
      list.append(rest)
      rest = situation.links[rest, default: 0]
    }
    return list.reversed()
  }
}

@Suite("Every interleaving of the state word's moves")
struct InterleavingTests {
  static let incomplete: [Schedules.Intent] = [
    .register, .listenToItself, .registerUnlessCompleted, .reactNow, .examine,
  ]

  /// All choices of so many intents, without regard to order.
  static func choices(_ count: Int, from intents: ArraySlice<Schedules.Intent>) -> [[Schedules.Intent]] {
    guard count > 0 else { return [[]] }
    return intents.indices.flatMap { index in choices(count - 1, from: intents[index...]).map { [intents[index]] + $0 }
    }
  }

  @Test(
    "of up to four threads tells each listener once, in order, with one deliverer at a time",
    arguments: 1...(DeepTests.isFull ? 4 : 3))
  func all(threads: Int) {
    // The two ways to complete differ only for the one who wins.
    for intents in Self.choices(threads, from: (Self.incomplete + [.complete])[...])
      + Self.choices(threads - 1, from: Self.incomplete[...]).flatMap({ [$0 + [.completeInReaction], $0 + [.abandon]] })
    {
      let schedules = Schedules(intents)
      #expect(schedules.faults.isEmpty, "\(intents) in \(schedules.count) situations")
    }
  }
}
