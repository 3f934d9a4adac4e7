import OrderTaking
import OrderTakingSimulation
import Testing

@Suite("The model checker") struct ModelCheckerTests {
  @Test(
    "no state of an operation violates an invariant, and the table has each transition",
    arguments: [true, false])
  func exhaustive(honoursKeys: Bool) {
    // `Scripts/simulate --coverage` runs it with two messages, in a release build.
    let taken = TransitionCounter()
    let report = ModelChecker(messages: 1, honoursKeys: honoursKeys).run(counting: taken)
    #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
    #expect(report.isComplete)
    // A model without steps would also pass.
    #expect(report.states > 1_000)
    #expect(Set(taken.counts.keys).subtracting(TransitionTable.all).map(\.description) == [])
    #expect(taken.counts.count > 50)
    #expect(
      report.outcomes == [
        .accepted(hasDetails: true), .accepted(hasDetails: false), .declined(reason: "late"), .rejected(status: 400),
        .rejected(status: 401), .cancelled, .expired, .unrecorded, .keyMismatch, .unknown(.cancelled),
        .unknown(.expired), .unknown(.journal), .unknown(.fenced), .unknown(.refused(status: 401)),
        .unknown(.refused(status: 403)), .unknown(.refused(status: 404)),
      ])
  }

  @Test("no state of the deck's rules violates an invariant if the server honours keys") func deck() {
    let report = ModelChecker(policy: .deck).run()
    #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
    #expect(report.isComplete && report.states > 1_000)
  }

  @Test(
    "the model checker finds a false decline of the deck's rules, with its steps, if the server answers already_taken")
  func deckEcho() {
    let report = ModelChecker(policy: .deck, honoursKeys: false).run()
    #expect(report.violations.contains { $0.hasPrefix("reported as declined") && $0.contains("put already taken") })
    #expect(report.violations.count == 10)
  }

  @Test("the model checker stops at its limit and reports that it is incomplete") func limit() {
    let report = ModelChecker(limit: 100).run()
    #expect(!report.isComplete && report.states > 100)
  }
}
