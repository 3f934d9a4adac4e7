internal import Foundation
internal import SnapshotStore

/// The references that the last run of `snapshots test` used, if it ran all tests and succeeded.
struct TestRuns {
  private let folder: String

  init(root: String) {
    folder = "\(root)/.build/snapshot-runs"
  }

  private var lastPath: String { "\(folder)/last.json" }

  var isEmpty: Bool { access(folder, F_OK) != 0 && errno == ENOENT }

  /// The last run, or `nil` if it was incomplete, failed or was interrupted.
  var last: TestRun? {
    FileManager.default.contents(atPath: lastPath).flatMap { try? JSONDecoder().decode(TestRun.self, from: $0) }
  }

  /// The result of an earlier one is discarded, because the tests may have changed.
  func begin() -> Run {
    try? FileManager.default.removeItem(atPath: lastPath)
    let run = Run(folder: "\(folder)/\(UUID().uuidString)", lastPath: lastPath)
    try? FileManager.default.createDirectory(atPath: run.folder, withIntermediateDirectories: true)
    return run
  }

  private static let selectingOptions: Set<Substring> = [
    "--filter", "--skip", "--specifier", "-s", "--test-product", "--disable-swift-testing", "--disable-xctest",
    "-only-testing", "-skip-testing",
  ]

  /// Finds `--filter X`, `--filter=X`, `-only-testing:X` and `sh -c "swift test --filter X"`.
  static func isComplete(_ command: [String]) -> Bool {
    !command.contains { word in
      word.split { " =:".contains($0) }.contains { selectingOptions.contains($0) }
    }
  }

  /// A run of tests.
  ///
  /// Several can happen at the same time.
  struct Run {
    let folder: String
    fileprivate let lastPath: String

    func end(hasPassed: Bool, start: Date) {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let run = TestRun(start: start, used: usedReferences)
      guard hasPassed, let data = try? JSONEncoder().encode(run) else { return }
      try? ReferenceFiles.replace(lastPath, with: data, asReference: false)
    }

    private var usedReferences: Set<String> {
      var paths: Set<String> = []
      for name in ReferenceFiles.names(in: folder) {
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        paths.formUnion(data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
      }
      return paths
    }
  }
}
