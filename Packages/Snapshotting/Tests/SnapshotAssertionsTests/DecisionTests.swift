import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("What an assertion does, by mode and by what there is")
struct DecisionTests {
  @Test("every combination")
  func table() {
    typealias Row = (SnapshotTestingConfiguration.Record, ReferenceState, Bool, ReferenceDecision.Failure?)
    let table: [Row] = [
      (.all, .matches, true, .recording), (.all, .absent, true, .recording), (.all, .differs, true, .recording),
      (.failed, .matches, false, nil), (.failed, .absent, true, .absent), (.failed, .differs, true, .differs),
      (.missing, .matches, false, nil), (.missing, .absent, true, .absent), (.missing, .differs, false, .differs),
      (.never, .matches, false, nil), (.never, .absent, false, .absent), (.never, .differs, false, .differs),
    ]
    for (record, state, writes, failure) in table {
      let decision = ReferenceDecision(record.mode, state)
      #expect(decision.writes == writes && decision.failure == failure, "\(record.mode) \(state)")
    }
  }

  @Test("the environment chooses the mode; a server records nothing; a wrong word is an error")
  func environment() throws {
    typealias Record = SnapshotTestingConfiguration.Record
    #expect(try recordMode(in: [:]).get() == .missing)
    for (name, mode) in [("all", Record.all), ("failed", .failed), ("missing", .missing), ("never", .never)] {
      #expect(try recordMode(in: ["SNAPSHOT_TESTING_RECORD": name, "CI": "true"]).get() == mode)
    }
    #expect(try recordMode(in: ["CI": "true"]).get() == .never)
    #expect(try recordMode(in: ["CI": "1"]).get() == .never)
    #expect(try recordMode(in: ["CI": "false"]).get() == .missing)
    #expect(throws: SnapshotError.self) { try recordMode(in: ["SNAPSHOT_TESTING_RECORD": "yes"]).get() }
  }

  @Test("booleans are modes, as older suites write them")
  func booleans() {
    #expect((true as SnapshotTestingConfiguration.Record) == .all)
    #expect((false as SnapshotTestingConfiguration.Record) == .missing)
  }
}
