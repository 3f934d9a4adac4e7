internal import Foundation

/// The file that the tests were linked into, which is as old as the sources that they were compiled from.
struct TestProgram: Sendable {
  let path: String

  /// That of the running tests, if it can be told.
  static let running: TestProgram? = {
    #if canImport(Darwin)
      // The tests are a bundle that another program loads.
      return Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.executablePath.map(TestProgram.init)
    #else
      let link = "/proc/self/exe"
      let path = ReferenceFiles.destination(of: link)
      return path == link ? nil : TestProgram(path: path)
    #endif
  }()

  /// Whether a file was written to after this one was; not when either is unknown.
  func isOlder(than other: String) -> Bool {
    guard let own = modificationDate(of: path), let other = modificationDate(of: other) else { return false }
    return own < other
  }

  /// The journal of a source, beside the program.
  func journal(of source: String) -> InlineJournal {
    let folder = ReferenceFiles.folder(of: path) + "/inline-snapshots"
    return InlineJournal(path: "\(folder)/\(ReferenceNaming.fingerprint(of: source)).json", program: self)
  }
}

/// When a file's content was last changed.
private func modificationDate(of path: String) -> Date? {
  let attributes = try? FileManager.default.attributesOfItem(atPath: ReferenceFiles.destination(of: path))
  return attributes?[.modificationDate] as? Date
}
