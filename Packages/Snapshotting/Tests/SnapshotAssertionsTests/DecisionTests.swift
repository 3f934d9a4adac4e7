import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The decision of an assertion")
struct DecisionTests {
  @Test("the mode and the state of the reference decide about recording and failing")
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

  @Test("the environment sets the mode, CI disables recording, and an invalid value is an error")
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

  @Test("true is the mode all, and false is not")
  func booleans() {
    #expect((true as SnapshotTestingConfiguration.Record) == .all)
    #expect((false as SnapshotTestingConfiguration.Record) != .all)
  }
}
