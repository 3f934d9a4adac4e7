import Foundation
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("What is said about recording, and where", .snapshots(record: .never, diffTool: .ksdiff))
struct ConfigurationTests {
  @Test("a suite's trait holds for its tests")
  func suite() {
    #expect(SnapshotTestingConfiguration.current?.record == .never)
    #expect(snapshots.failure(of: "a", record: nil, in: currentTest())?.contains("recording is disabled") == true)
  }

  private let snapshots = SnapshotFolder()

  @Test("a test's own is nearer, and leaves open what it does not say", .snapshots(record: .all))
  func test() {
    #expect(SnapshotTestingConfiguration.current?.record == .all)
    #expect(
      SnapshotTestingConfiguration.current?.diffTool?(currentFilePath: "a", failedFilePath: "b") == "ksdiff \"a\" \"b\""
    )
  }

  @Test("traits hold in a detached task that asks for the test, as a helper does")
  func configurationOfTest() {
    let configuration = currentTest().configuration
    #expect(configuration?.record == .never && configuration?.diffTool != nil)
  }

  @Test("it holds across awaits, in child tasks, and not in detached ones")
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

  @Test("the assertion's own mode is the nearest of all")
  func nearest() throws {
    #expect(try ChosenRecord(.all, in: currentTest()).mode == .all)
    #expect(try ChosenRecord(nil, in: currentTest()).mode == .never)
  }

  @Test("turning the recording off, as older suites do in every test, lets nothing be written on a server")
  func recordingOffOnServer() throws {
    let server = ProcessDefaults(environment: ["CI": "true"])
    server.isRecording = false
    #expect(server.record == nil && !server.isRecording)
    #expect(try server.environment.get() == .never)
    server.isRecording = true
    #expect(server.record == .all && server.isRecording)
    let desk = ProcessDefaults(environment: ["SNAPSHOT_TESTING_RECORD": "all"])
    #expect(desk.isRecording)
    desk.isRecording = false
    #expect(desk.record == .missing && !desk.isRecording)
  }

  @Test("a variable that is set to nothing asks for nothing")
  func emptyVariable() throws {
    #expect(try recordMode(in: ["SNAPSHOT_TESTING_RECORD": ""]).get() == .missing)
    #expect(try recordMode(in: ["SNAPSHOT_TESTING_RECORD": "", "CI": "1"]).get() == .never)
  }

  // They are for all of a process, so it is one of its own.
  @Test("the globals of older suites hold for the whole process, except where something nearer is said")
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

/// What is deprecated may be used behind a requirement without a warning.
private final class DeprecatedGlobals: Globals {
  @available(*, deprecated)
  var isOn: Bool {
    get { isRecording && record }
    set { if newValue { isRecording = true } else { record = false } }
  }
}
