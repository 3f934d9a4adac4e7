internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

/// A run of all tests, with the references that it used.
struct TestRun: Codable {
  let start: Date
  let used: Set<String>

  private static func path(in root: String) -> String { "\(root)/.build/snapshot-runs/last.json" }

  /// Returns the last run; `nil` if it was incomplete, failed or was interrupted.
  static func last(in root: String) -> TestRun? {
    FileManager.default.contents(atPath: path(in: root)).flatMap { try? JSONDecoder().decode(TestRun.self, from: $0) }
  }

  /// Calls a function that runs tests, with a folder for the lists of the references that they use.
  ///
  /// The result of an earlier run is discarded first, because the tests may have changed. Several runs can happen at the same time.
  ///
  /// - Parameter body: Returns whether all tests passed; `nil` if it did not run all of them.
  /// - Returns: The run if all tests passed, or if their processes exited. A build that failed has none.
  static func record(in root: String, start: Date, _ body: (_ folder: String) -> Bool?) -> TestRun? {
    let path = path(in: root)
    try? FileManager.default.removeItem(atPath: path)
    let folder = "\(ReferenceFiles.folder(of: path))/\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard let hasPassed = body(folder) else { return nil }
    let lists = ReferenceFiles.names(in: folder).map { name in
      (FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
        .split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
    let run = TestRun(start: start, used: Set(lists.joined()).subtracting([""]))
    if hasPassed, let data = try? JSONEncoder().encode(run) { try? ReferenceFiles.replace(path, with: data) }
    return hasPassed || lists.allSatisfy { $0.suffix(2) == ["", ""] } ? run : nil
  }

  private static let selectingOptions: Set<Substring> = [
    "--filter", "--skip", "--specifier", "-s", "--test-product", "--disable-swift-testing", "--disable-xctest",
    "-only-testing", "-skip-testing",
  ]

  /// Whether a command runs all tests.
  ///
  /// Finds `--filter X`, `--filter=X`, `-only-testing:X` and `sh -c "swift test --filter X"`.
  static func isComplete(_ command: [String]) -> Bool {
    !command.contains { word in
      word.split { " =:".contains($0) }.contains { selectingOptions.contains($0) }
    }
  }
}

extension Runner {
  func test(_ command: [String], accepts: Bool, checks: Bool) throws -> ExitCode {
    let start = Date()
    var code = ExitCode.success
    let run = TestRun.record(in: store.root, start: start) { folder in
      code = Self.run(
        command, ["SNAPSHOT_TESTING_RECORD": checks ? "never" : "pending", TestProcess.usesVariable: folder])
      return TestRun.isComplete(command) ? code == .success : nil
    }
    guard code != ExitCode(128 + SIGINT) else { return code }
    if let run {
      var unreferenced = Unreferenced(after: run, in: store.root)
      for snapshot in store.contents().snapshots {
        guard let path = snapshot.reference, unreferenced.contains("\(store.root)/\(path)") else { continue }
        try store.reject(snapshot)
        try print("withdrawn  \(visible(snapshot.name)), which \(visible(snapshot.testName)) no longer leaves\n")
      }
    }
    let decided: ExitCode
    if !accepts, !checks, !store.contents().snapshots.isEmpty {
      decided = output.sessionError() == nil ? try review([]) : try status(json: false)
    } else {
      let (snapshots, readable) = try pending()
      let ofRun = snapshots.filter { $0.time.timeIntervalSince1970 >= start.timeIntervalSince1970.rounded(.down) }
      let accepted = accepts ? try decide([], ofRun) : .success
      decided = readable != .success ? readable : accepted
    }
    return code != .success ? code : decided
  }

  /// Runs a command in the process group of this process, so that Ctrl-C reaches it, and returns its exit code; 128 and the number of
  /// the signal if a signal ends it.
  private static func run(_ words: [String], _ environment: [String: String]) -> ExitCode {
    func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
    let command = environment.map { "\($0)=\(quoted($1))" } + words.map(quoted)
    // A child inherits that a signal is ignored.
    let handling = signal(SIGPIPE, SIG_DFL)
    let status = system(command.joined(separator: " "))
    signal(SIGPIPE, handling)
    return ExitCode(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F)
  }
}
