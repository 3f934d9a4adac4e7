internal import Foundation

/// A source that is newer was changed after the build.
package struct TestProgram: Sendable {
  let path: String

  package init(path: String) {
    self.path = path
  }

  static let running: TestProgram? = {
    #if canImport(Darwin)
      // The tests are a bundle that another program loads.
      return Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.executablePath.map {
        TestProgram(path: $0)
      }
    #else
      let link = "/proc/self/exe"
      let path = ReferenceFiles.destination(of: link)
      return path == link ? nil : TestProgram(path: path)
    #endif
  }()

  /// Whether a file was modified after the program; `false` if either time is unknown.
  func isOlder(than other: String) -> Bool {
    guard let own = modificationDate(of: path), let other = modificationDate(of: other) else { return false }
    return own < other
  }

  func journal(of source: String) -> InlineJournal {
    let folder = ReferenceFiles.folder(of: path) + "/inline-snapshots"
    return InlineJournal(path: "\(folder)/\(Fingerprint.of(source)).json", program: self)
  }
}

private func modificationDate(of path: String) -> Date? {
  let attributes = try? FileManager.default.attributesOfItem(atPath: ReferenceFiles.destination(of: path))
  return attributes?[.modificationDate] as? Date
}
