internal import Foundation
internal import SnapshotStore

/// The references that runs of `snapshots test` use.
struct TestRuns {
  private let folder: String

  /// - Parameter root: The root of the project.
  init(root: String) {
    folder = "\(root)/.build/snapshot-runs"
  }

  private var current: String { "\(folder)/current" }
  private var lastPath: String { "\(folder)/last.json" }

  /// Begins a run, and returns the folder for its notes; an empty text if it cannot be created.
  func begin() -> String {
    try? FileManager.default.removeItem(atPath: current)
    do { try FileManager.default.createDirectory(atPath: current, withIntermediateDirectories: true) } catch {
      return ""
    }
    return current
  }

  /// Whether a command runs all tests.
  static func isComplete(_ command: [String]) -> Bool {
    !command.contains { word in
      ["--filter", "--skip", "--test-product", "-only-testing", "-skip-testing"].contains { word.hasPrefix($0) }
    }
  }

  /// Keeps the notes of a run that has run all tests and succeeded.
  func end(_ command: [String], hasPassed: Bool, start: Date) {
    guard hasPassed, Self.isComplete(command) else { return }
    let run = TestRun(start: start, used: UsedReferences.paths(in: current))
    guard let data = try? JSONEncoder().encode(run) else { return }
    try? ReferenceFiles.replace(lastPath, with: data, asReference: false)
  }

  /// The last complete run.
  var last: TestRun? {
    FileManager.default.contents(atPath: lastPath).flatMap { try? JSONDecoder().decode(TestRun.self, from: $0) }
  }
}
