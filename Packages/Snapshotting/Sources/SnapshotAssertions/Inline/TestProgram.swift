internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The file that the tests were linked into, which is as old as the sources that they were compiled from.
struct TestProgram: Sendable {
  let path: String

  /// That of the running tests, if it can be told.
  static let running: TestProgram? = {
    #if canImport(Darwin)
      // The tests are a bundle that another program loads.
      return Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.executablePath.map(TestProgram.init)
    #else
      return realpath("/proc/self/exe", nil).map { path in
        defer { free(path) }
        return TestProgram(path: String(cString: path))
      }
    #endif
  }()

  /// Whether a file was written to after this one was; not when either is unknown.
  func isOlder(than other: String) -> Bool {
    guard let own = modificationTime(of: path), let other = modificationTime(of: other) else { return false }
    return own < other
  }

  /// The journal of a source, beside the program.
  func journal(of source: String) -> InlineJournal {
    let folder = ReferenceFiles.folder(of: path) + "/inline-snapshots"
    return InlineJournal(path: "\(folder)/\(ReferenceNaming.fingerprint(of: source)).json", program: self)
  }
}

/// Seconds and nanoseconds since 1970 of the last change of a file's content.
private func modificationTime(of path: String) -> Duration? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  #if canImport(Darwin)
    let time = status.st_mtimespec
  #else
    let time = status.st_mtim
  #endif
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
