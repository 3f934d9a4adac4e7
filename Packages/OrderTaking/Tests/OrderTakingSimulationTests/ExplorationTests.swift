import OrderTaking
import OrderTakingSimulation
import Testing

@Suite("Every way that an operation can go") struct ExplorationTests {
  @Test("is right, in all its states", arguments: [true, false])
  func exhaustive(honoursKeys: Bool) {
    let report = Exploration(honoursKeys: honoursKeys).run()
    #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
    #expect(report.isComplete)
    // A model that has lost its steps would hold too.
    #expect(report.states == (honoursKeys ? 4_748 : 5_527))
    #expect(
      report.outcomes == [
        .accepted(hasDetails: true), .accepted(hasDetails: false), .declined(reason: "late"), .rejected(status: 400),
        .rejected(status: 401), .cancelled, .expired, .unrecorded, .unknown(.cancelled), .unknown(.expired),
        .unknown(.refused(status: 401)), .unknown(.refused(status: 403)), .unknown(.refused(status: 404)),
      ])
  }

  @Test("is right by the deck's rules too, as long as the server honours keys") func deck() {
    let report = Exploration(policy: .deck).run()
    #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
    #expect(report.isComplete && report.states > 500)
  }

  @Test("is wrong by the deck's rules when the server answers already_taken, and the story is told") func deckEcho() {
    let report = Exploration(policy: .deck, honoursKeys: false).run()
    #expect(report.violations.contains { $0.hasPrefix("reported as declined") && $0.contains("put already taken") })
    #expect(report.violations.count == 10)
  }

  @Test("stops at its limit, and says so") func limit() {
    let report = Exploration(limit: 100).run()
    #expect(!report.isComplete && report.states > 100)
  }
}
