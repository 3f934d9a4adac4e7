import Testing

@testable import Futures

@Suite("The state word")
struct StateWordTests {
  static let phases: [StateWord.Phase] = [
    .pending, .claimed, .idle, .delivering, .abandoned, .examined, .linked,
  ]
  static let tops: [UInt] = [0, 16, 0x7FFF_1234_5670]

  @Test("is a phase and an address, which do not touch each other", arguments: phases, tops)
  func parts(phase: StateWord.Phase, top: UInt) {
    let word = StateWord(phase, top: top)
    #expect(word.phase == phase)
    #expect(word.top == top)
    #expect(word == StateWord(bits: word.bits))
  }

  #if _pointerBitWidth(_64)
    @Test("keeps the byte that some processors and allocators tag addresses in")
    func tag() {
      let word = StateWord(.pending, top: 0xFA00_7F00_0000_0010).gainingInterest()
      #expect(word?.top == 0xFA00_7F00_0000_0010 && word?.interest == 1)
    }
  #endif

  @Test("is completed when the result has been published", arguments: phases, tops)
  func completed(phase: StateWord.Phase, top: UInt) {
    #expect(StateWord(phase, top: top).isCompleted == (phase == .idle || phase == .delivering))
  }

  @Test(
    "takes a listener on top, and on an idle async makes its giver the deliverer, but not on an abandoned one",
    arguments: phases, tops)
  func registering(phase: StateWord.Phase, top: UInt) {
    let (next, duty) = StateWord(phase, top: top).registering(32)
    if phase == .idle {
      #expect(next == StateWord(.delivering))
      #expect(duty == .deliver)
    } else if phase == .abandoned {
      #expect(next == StateWord(phase, top: top))
      #expect(duty == .letGo)
    } else {
      #expect(next == StateWord(phase, top: 32))
      #expect(duty == .none)
    }
  }

  @Test("can be claimed once, while it is pending, with who waits", arguments: phases, tops)
  func claiming(phase: StateWord.Phase, top: UInt) {
    let next = StateWord(phase, top: top).claiming()
    #expect(next == (phase == .pending ? StateWord(.claimed, top: top) : nil))
  }

  @Test("can be abandoned while it is pending, and then holds nobody", arguments: phases, tops)
  func abandoning(phase: StateWord.Phase, top: UInt) {
    let next = StateWord(phase, top: top).abandoning()
    #expect(next == (phase == .pending ? StateWord(.abandoned) : nil))
  }

  @Test("can be examined while it is pending, and ends that pending, with what is left", arguments: phases, tops)
  func examining(phase: StateWord.Phase, top: UInt) {
    let next = StateWord(phase, top: top).examining()
    #expect(next == (phase == .pending ? StateWord(.examined, top: top) : nil))
    #expect(next.map { $0.endingExamination(top: 32) } == (phase == .pending ? StateWord(.pending, top: 32) : nil))
  }

  @Test("holds what it is linked to, and is pending with nobody when it is unlinked", arguments: phases, tops)
  func linking(phase: StateWord.Phase, top: UInt) {
    #expect(StateWord(.examined, top: top).linking(to: 64) == StateWord(.linked, top: 64))
    let next = StateWord(phase, top: top).unlinking()
    #expect(next == (phase == .linked ? StateWord(.pending) : nil))
  }

  @Test("is published by the winner, who delivers if somebody waits", arguments: tops)
  func publishing(top: UInt) {
    let (next, duty) = StateWord(.claimed, top: top).publishing()
    #expect(next == (top == 0 ? StateWord(.idle) : StateWord(.delivering, top: top)))
    #expect(duty == (top == 0 ? .none : .deliver))
  }

  @Test("is published by a winner who takes those who wait at the same time", arguments: tops)
  func publishingAtOnce(top: UInt) {
    let (next, taken) = StateWord(.claimed, top: top, interest: 1).collecting()
    #expect(next == (top == 0 ? StateWord(.idle) : StateWord(.delivering)))
    #expect(taken == top)
  }

  @Test("gives the deliverer who came meanwhile, and ends delivery when nobody did", arguments: tops)
  func collecting(top: UInt) {
    let (next, taken) = StateWord(.delivering, top: top).collecting()
    #expect(next == (top == 0 ? StateWord(.idle) : StateWord(.delivering)))
    #expect(taken == top)
  }

  @Test("counts who will listen later, apart from everything else, while it is not completed", arguments: phases, tops)
  func interest(phase: StateWord.Phase, top: UInt) throws {
    let word = StateWord(phase, top: top)
    guard [.pending, .claimed, .examined].contains(phase) else {
      #expect(word.gainingInterest() == nil)
      #expect(StateWord(phase, top: top, interest: 1).losingInterest() == nil)
      return
    }
    let one = try #require(word.gainingInterest())
    #expect((one.phase, one.top, one.interest) == (phase, top, 1))
    #expect(one.losingInterest() == word)
    #expect(word.losingInterest() == nil)
    for next in [one.registering(32).next, one.claiming(), one.examining()].compactMap({ $0 }) {
      #expect(next.interest == 1)
    }
    #expect(one.examining()?.endingExamination(top: 48).interest ?? 1 == 1)
    #expect(one.abandoning()?.interest ?? 0 == 0)
  }

  @Test("takes more than it can count for a crowd that never goes")
  func crowd() throws {
    var word = StateWord(.pending, top: 16)
    for _ in 0..<1_000 { word = try #require(word.gainingInterest()) }
    #expect(word.interest == StateWord.mostInterest)
    #expect(word.top == 16)
    #expect(word.losingInterest() == nil)
  }
}
