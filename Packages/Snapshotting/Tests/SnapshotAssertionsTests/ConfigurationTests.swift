import Foundation
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The configuration of assertions", .snapshots(record: .never, diffTool: .ksdiff))
struct ConfigurationTests {
  @Test("the trait of a suite applies to its tests")
  func traitOfSuite() {
    #expect(SnapshotTestingConfiguration.current?.record == .never)
    #expect(snapshots.failure(of: "a", record: nil, in: currentTest())?.contains("recording is disabled") == true)
  }

  private let snapshots = SnapshotFolder()

  @Test("the trait of a test has priority, and inherits the omitted arguments", .snapshots(record: .all))
  func traitOfTest() {
    #expect(SnapshotTestingConfiguration.current?.record == .all)
    #expect(
      SnapshotTestingConfiguration.current?.diffTool?(currentFilePath: "a", failedFilePath: "b") == "ksdiff \"a\" \"b\""
    )
  }

  @Test("a configuration applies after suspensions and in child tasks, but not in detached tasks")
  func asynchronous() async {
    let records = await withSnapshotTesting(record: .failed) {
      await Task.yield()
      async let child = SnapshotTestingConfiguration.current?.record
      let detached = await Task.detached { SnapshotTestingConfiguration.current?.record }.value
      return [SnapshotTestingConfiguration.current?.record, await child, detached]
    }
    #expect(records == [.failed, .failed, nil])
    #expect(SnapshotTestingConfiguration.current?.record == .never)
  }

  @Test("the mode of the assertion has the highest priority")
  func nearest() throws {
    #expect(try ChosenRecord(.all).mode == .all)
    #expect(try ChosenRecord(nil).mode == .never)
  }

  @Test("isRecording = false does not enable recording in CI")
  func recordingOffOnServer() throws {
    let server = ProcessDefaults(environment: ["CI": "true"])
    server.isRecording = false
    #expect(server.record == .never && !server.isRecording)
    #expect(try server.environment.get() == .never)
    server.isRecording = true
    #expect(server.record == .all && server.isRecording)
    let desk = ProcessDefaults(environment: ["SNAPSHOT_TESTING_RECORD": "all"])
    #expect(desk.isRecording)
    desk.isRecording = false
    #expect(desk.record == .missing && !desk.isRecording)
  }

  @Test("false for the record mode records missing references, if the environment allows it")
  func notRecording() {
    for (name, mode) in [
      ("all", "missing"), ("failed", "missing"), ("missing", "missing"), ("pending", "pending"), ("never", "never"),
      ("Never", "never"),
    ] {
      let defaults = ProcessDefaults(environment: ["SNAPSHOT_TESTING_RECORD": name, "CI": "true"])
      #expect(defaults.notRecording.mode.rawValue == mode)
      defaults.isRecording = false
      #expect((defaults.record == .missing) == (mode == "missing"))
    }
  }

  @Test("an empty environment variable is ignored")
  func emptyVariable() throws {
    #expect(try recordMode(in: ["SNAPSHOT_TESTING_RECORD": ""]).get() == .missing)
    #expect(try recordMode(in: ["SNAPSHOT_TESTING_RECORD": "", "CI": "1"]).get() == .never)
  }

  // The variables apply to the process, so the test has a separate process.
  @Test("the global variables apply to the process, and a configuration has priority")
  func globals() async {
    await #expect(processExitsWith: .success) {
      let globals: any Globals = DeprecatedGlobals()
      let snapshots = SnapshotFolder()
      globals.isOn = true
      try #require(globals.isOn)
      try #require(snapshots.failure(of: "a", named: "a", record: nil)?.hasPrefix("Record mode is on.") == true)
      try withSnapshotTesting(record: .never) {
        try #require(snapshots.failure(of: "a", named: "a", record: nil) == nil)
      }
      globals.isOn = false
      try #require(!globals.isOn && snapshots.failure(of: "a", named: "a", record: nil) == nil)
    }
  }
}

private protocol Globals: AnyObject {
  var isOn: Bool { get set }
}

/// Deprecated symbols cause no warning behind a requirement of a protocol.
private final class DeprecatedGlobals: Globals {
  @available(*, deprecated)
  var isOn: Bool {
    get { isRecording && record }
    set { if newValue { isRecording = true } else { record = false } }
  }
}
