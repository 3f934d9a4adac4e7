import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The configuration of assertions", .snapshots(record: .never, diffTool: .ksdiff))
struct ConfigurationTests {
  private let snapshots = SnapshotFolder()

  private typealias Configuration = SnapshotTestingConfiguration

  @Test("the trait of a test has priority, and inherits the omitted arguments of its suite", .snapshots(record: .all))
  func traits() {
    #expect(Configuration.current?.record == .all)
    #expect(Configuration.current?.diffTool?(currentFilePath: "a", failedFilePath: "b") == "ksdiff \"a\" \"b\"")
  }

  @Test("an inner configuration has priority, and inherits the omitted arguments")
  func inheritance() throws {
    try snapshots.write("old", to: "test.a.txt")
    withSnapshotTesting(diffTool: "opendiff") {
      #expect(snapshots.failure(of: "a", record: nil)?.contains("recording is disabled") == true)
      let failure = snapshots.failure(of: "new", named: "a", record: nil)
      #expect(failure?.contains("opendiff \(snapshots.path)/test.a.txt ") == true)
    }
  }

  @Test("the current configuration has the defaults of what no code sets")
  func defaults() async throws {
    let (record, tool) = try await Task.detached {
      try withSnapshotTesting(Configuration()) {
        let current = try #require(Configuration.current)
        return (current.record, current.diffTool?(currentFilePath: "/a", failedFilePath: "/b"))
      }
    }.value
    #expect(record != nil && tool?.contains("file:///a") == true)
  }

  @Test("a configuration applies after suspensions and in child tasks, but not in detached tasks")
  func asynchronous() async {
    let records = await withSnapshotTesting(record: .failed) {
      await Task.yield()
      async let child = Configuration.current?.record
      let detached = await Task.detached { Configuration.current?.record }.value
      return [Configuration.current?.record, await child, detached]
    }
    #expect(records == [.failed, .failed, nil])
  }

  @Test(
    "the environment sets the record mode of what no code sets",
    arguments: [
      (nil, nil, .missing), (nil, "true", .never), (nil, "0", .missing), ("", "1", .never), ("pending", "1", .pending),
      ("Never", nil, nil),
    ] as [(String?, String?, SnapshotTestingConfiguration.Record?)])
  func environment(name: String?, server: String?, record: SnapshotTestingConfiguration.Record?) {
    let environment = ["CI": server, "SNAPSHOT_TESTING_RECORD": name].compactMapValues(\.self)
    let process = ProcessSettings(environment: environment)
    #expect(process.environmentRecord == record)
    SnapshotTestingConfiguration.$current.withValue(nil) {
      #expect(Configuration().resolved(in: process).record == record)
      #expect(Configuration(record: .all).resolved(in: process).record == .all)
    }
  }

  private func failure(_ configuration: SnapshotTestingConfiguration, directory: String? = nil) -> String? {
    withSnapshotTesting(configuration) {
      verifySnapshot(
        of: "a", as: .lines, snapshotDirectory: directory, testName: "test\(UInt.random(in: .min ... .max))")
    }
  }

  @Test("the configuration names the folder that has a folder for each test file, relative to the package")
  func configuredDirectory() {
    let inPackage = failure(Configuration(snapshotDirectory: "References"))
    #expect(inPackage?.contains("would be References/ConfigurationTests/test") == true)
    let absolute = failure(Configuration(snapshotDirectory: "/references"))
    #expect(absolute?.contains("would be /references/ConfigurationTests/test") == true)
    let process = ProcessSettings(environment: ["SNAPSHOT_TESTING_DIRECTORY": "/elsewhere"])
    #expect(Configuration().resolved(in: process).snapshotDirectory == "/elsewhere")
  }

  @Test("the folder of an assertion has priority, and is the folder of the reference")
  func ownDirectory() async {
    let configuration = Configuration(snapshotDirectory: "/references")
    #expect(failure(configuration, directory: "Own/./Folder")?.contains("would be Own/Folder/test") == true)
    await withKnownIssue {
      assertSnapshot(of: 1, as: .dump, snapshotDirectory: "Own")
      assertSnapshots(of: 1, as: [.dump], snapshotDirectory: "Own")
      assertSnapshots(of: 1, as: ["a": .dump], snapshotDirectory: "Own")
      await expectSnapshot(of: 1, as: .dump, snapshotDirectory: "Own")
    } matching: {
      $0.comments.contains { $0.rawValue.contains("would be Own/ownDirectory.") }
    }
  }

  @Test("the first unnamed assertion can have no number in its file name")
  func withoutFirstNumber() {
    withSnapshotTesting(Configuration(omitsFirstNumber: true)) {
      for line: UInt in 1...2 { _ = snapshots.failure(of: "a", in: .made("numbers()"), line: line) }
      _ = snapshots.outcome(of: "a", as: .lines.named("dark"), testName: "dark()", in: .made("dark()"))
    }
    #expect(snapshots.files == ["dark.dark.txt", "test.2.txt", "test.txt"])
  }

  @Test("a configuration turns warnings into failures")
  func warnings() throws {
    try snapshots.write("a", to: "test.a.txt")
    withSnapshotTesting(Configuration(failsOnWarnings: true)) {
      #expect(snapshots.failure(of: "a", named: "a", line: 1) == nil)
      #expect(snapshots.failure(of: "a", named: "a", line: 2)?.hasPrefix("Two assertions share the reference") == true)
      _ = snapshots.failure(of: "a", named: "b", line: 3)
      #expect(snapshots.failure(of: "a", named: "b", line: 3)?.contains("recorded a moment ago") == true)
    }
  }

  @Test("a comparison has the precision of the configuration")
  func precision() throws {
    try snapshots.write("1.0", to: "test.a.txt")
    let close = Diffing<Double>(
      toData: { Data("\($0)".utf8) }, fromData: { Double(String(decoding: $0, as: UTF8.self)) ?? 0 }
    ) { old, new in
      abs(old - new) <= 1 - Double(SnapshotPrecision.precision ?? 1) ? nil : ("\(old) is not \(new)", [])
    }
    let strategy = Snapshotting(pathExtension: "txt", diffing: close).retrying(every: .zero, within: .zero)
    for (precision, matches) in [(nil, false), (0.5, true)] as [(Float?, Bool)] {
      let failure = withSnapshotTesting(Configuration(precision: precision)) {
        snapshots.outcome(of: 1.25, as: strategy, named: "a", line: 1).failure
      }
      #expect((failure == nil) == matches && snapshots.text(of: "test.a.txt") == "1.0")
    }
  }
}
