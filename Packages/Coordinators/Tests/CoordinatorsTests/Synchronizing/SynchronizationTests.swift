import TestSupport
import Testing

@testable import Coordinators
@testable import CoordinatorsUIKit

/// A core and its shell, with gestures between their messages.
@Suite("Synchronizing a navigation with its shell")
struct SynchronizationTests {
  private var stack: NodeID { NodeID(rawValue: 0) }

  @Test("only one batch is in flight, and later changes follow in one batch")
  func oneBatchIsInFlight() throws {
    let pair = try Pair(.stack([.screen(.a)]))
    let first = try #require(try pair.apply(.push(.screen(.a), onto: stack)))
    #expect(try pair.apply(.push(.screen(.b), onto: stack)) == nil)
    #expect(try pair.apply(.pop(from: stack)) == nil)
    #expect(try pair.apply(.push(.screen(.b), onto: stack), .push(.screen(.b), onto: stack)) == nil)
    let second = try #require(try pair.carryOut(first).batch)
    #expect(second.commands.count == 1 && second.number == first.number + 1)
    #expect(try pair.carryOut(second).batch == nil)
    #expect(pair.isInStep)
  }

  @Test("a swipe back pops the screen in the core")
  func swipeBackPopsInCore() throws {
    let pair = try Pair(.stack([.screen(.a), .screen(.b)]))
    #expect(pair.swipeBack())
    let outcome = try pair.observe()
    #expect(outcome.didChangeNavigation && outcome.batch == nil)
    #expect(pair.core.navigation.front.screen == .a && pair.isInStep)
  }

  @Test("a swipe back before a pushed screen appears keeps core and shell in agreement")
  func swipeBackBeforePushKeepsAgreement() throws {
    let pair = try Pair(.stack([.screen(.a), .screen(.b)]))
    let push = try #require(try pair.apply(.push(.screen(.b), onto: stack)))
    #expect(pair.swipeBack())
    #expect(try pair.observe().isStale)
    let outcome = try pair.carryOut(push)
    #expect(outcome.didChangeNavigation && outcome.discrepancies.isEmpty)
    #expect(pair.isInStep)
  }

  @Test("a screen pushed on top of a screen that the user removed is dropped")
  func screenAboveRemovedScreenIsDropped() throws {
    let pair = try Pair(.stack([.screen(.a), .screen(.b)]))
    let update = try #require(try pair.apply(.update(NodeID(rawValue: 1), to: .b)))
    #expect(try pair.apply(.push(.screen(.b), onto: stack)) == nil)
    let acknowledgement = try pair.perform(update)
    #expect(pair.swipeBack())
    #expect(try pair.acknowledgeLate(acknowledgement).batch == nil)
    #expect(pair.core.navigation.root.children.count == 1 && pair.isInStep)
  }

  @Test(arguments: [false, true])
  func `the tab that the user selected stays selected unless the core selects another`(coreSelects: Bool) throws {
    let pair = try Pair(.tabs([.tab("0", .screen(.a)), .tab("1", .screen(.a)), .tab("2", .screen(.a))]))
    let update = try #require(try pair.apply(.update(NodeID(rawValue: 1), to: .b)))
    if coreSelects { #expect(try pair.apply(.select("2", in: stack)) == nil) }
    let acknowledgement = try pair.perform(update)
    #expect(pair.select("1"))
    let outcome = try pair.acknowledgeLate(acknowledgement)
    #expect((outcome.batch != nil) == coreSelects)
    #expect(pair.core.navigation.front.id == NodeID(rawValue: coreSelects ? 3 : 2))
  }

  @Test("a tab closed by the user is removed in the core")
  func tabClosedByUserIsRemoved() throws {
    let pair = try Pair(.tabs([.tab("0", .screen(.a)), .tab("1", .screen(.b))]))
    let left = ShellState(id: NodeID(rawValue: 2), content: .screen)
    #expect(try pair.observe(ShellState(id: stack, content: .tabs([left], selected: 0))).didChangeNavigation)
    #expect(pair.core.navigation.front.screen == .b && pair.core.navigation.root.children.count == 1)
  }

  @Test("a shell with an unknown node receives a new root once")
  func unknownNodeResetsShellOnce() throws {
    let pair = try Pair(.stack([.screen(.a)]))
    let strange = ShellState(id: stack, content: .stack([ShellState(id: NodeID(rawValue: 77), content: .screen)]))
    let outcome = try pair.observe(strange)
    #expect(outcome.discrepancies == [NodeID(rawValue: 77), stack])
    let batch = try #require(outcome.batch)
    #expect(batch.commands == [.setRoot(pair.core.navigation.root)])
    let second = pair.acknowledge(Acknowledgement(batch: batch.number, state: strange))
    #expect(second.batch == nil && !second.discrepancies.isEmpty)
  }

  @Test("a swiped-away screen returns if the core removed all other screens")
  func lastScreenReturnsAfterSwipe() throws {
    var core = Synchronization(try Tree(.stack([Plan.screen(.a).owned(by: "application/x"), .screen(.b)])))
    let started = core.start()
    let batch = try #require(started)
    let meanwhile = try core.apply(.remove("application/x"))
    #expect(meanwhile == nil)
    let first = ShellState(id: NodeID(rawValue: 1), content: .screen)
    let swiped = ShellState(id: NodeID(rawValue: 0), content: .stack([first]))
    let outcome = core.acknowledge(Acknowledgement(batch: batch.number, state: swiped))
    #expect(core.navigation.violations == [] && core.navigation.front.id == NodeID(rawValue: 2))
    #expect(outcome.batch?.commands.count == 1 && outcome.discrepancies.isEmpty)
  }

  @Test("an acknowledgement of another batch is ignored")
  func acknowledgementOfOtherBatchIsIgnored() throws {
    let pair = try Pair(.stack([.screen(.a)]))
    let batch = try #require(try pair.apply(.push(.screen(.a), onto: stack)))
    var acknowledgement = try pair.perform(batch)
    acknowledgement.batch += 1
    #expect(pair.acknowledge(acknowledgement).isStale && pair.core.batchInFlight == batch)
  }

  enum Event: CustomStringConvertible, Sendable {
    case intent(Int), perform, acknowledge, swipeBack, dismiss, select(Int), closeTab(Int), observe
    var description: String {
      switch self {
      case .intent(let choice): "intent \(choice)"
      case .perform: "perform"
      case .acknowledge: "acknowledge"
      case .swipeBack: "swipe back"
      case .dismiss: "dismiss"
      case .select(let tab): "select \(tab)"
      case .closeTab(let tab): "close tab \(tab)"
      case .observe: "observe"
      }
    }
  }

  private func agrees(after events: [Event], on plan: Plan) throws -> Bool {
    var core = Synchronization(try Tree(plan))
    var shell = Containers<TestScreen>()
    var pending = core.start()
    var acknowledgement: Acknowledgement?

    func hear(_ outcome: SynchronizationStep<TestScreen>) -> Bool {
      if let batch = outcome.batch { pending = batch }
      return outcome.discrepancies.isEmpty && core.navigation.violations.isEmpty
    }
    func perform() throws {
      guard let batch = pending else { return }
      pending = nil
      acknowledgement = try shell.perform(batch)
    }
    func acknowledge() -> Bool {
      guard var said = acknowledgement, let state = shell.state else { return true }
      acknowledgement = nil
      said.state = state
      return hear(core.acknowledge(said))
    }
    for event in events {
      switch event {
      case .intent(let choice):
        let all = intents(for: core.navigation)
        if let batch = try? core.apply(all[choice % all.count]) { pending = batch }
      case .perform: try perform()
      case .acknowledge: if !acknowledge() { return false }
      case .swipeBack: shell.swipeBack()
      case .dismiss: shell.dismissModal()
      case .select(let tab): shell.select(TabKey("\(tab)"))
      case .closeTab(let tab): shell.closeTab(TabKey("\(tab)"))
      case .observe:
        guard let state = shell.state else { break }
        if !hear(core.observe(state)) { return false }
      }
      if core.navigation.root.depth > 20 { break }
    }
    for _ in 0..<3 {
      try perform()
      if !acknowledge() { return false }
      if let state = shell.state, core.batchInFlight == nil, !hear(core.observe(state)) { return false }
    }
    return core.isInStep && shell.state == core.navigation.state && shell.navigation?.root == core.navigation.root
  }

  @Test("core and shell agree after any sequence of events")
  func coreAndShellAgreeAfterAnyEvents() throws {
    let event = Generator<Event>.frequency([
      (6, Generator<Int>.int(in: 0...10_000).map { Event.intent($0) }), (4, .always(.perform)),
      (4, .always(.acknowledge)), (2, .always(.swipeBack)), (1, .always(.dismiss)),
      (1, Generator<Int>.int(in: 0...2).map { Event.select($0) }),
      (1, Generator<Int>.int(in: 0...2).map { Event.closeTab($0) }), (2, .always(.observe)),
    ])
    let plans = blueprints(upTo: 4)
    try checkProperty(
      "core and shell agree", count: 400, .array(of: event, count: 0...30), .int(in: 0...plans.count - 1)
    ) { events, plan in try agrees(after: events, on: plans[plan]) }
  }
}
