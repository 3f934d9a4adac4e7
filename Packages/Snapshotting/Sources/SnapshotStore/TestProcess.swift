package import Foundation

/// An assertion that uses a reference, with its test.
package struct ReferenceUser: Sendable {
  /// The test with its module and its suites.
  package let test: String
  /// The arguments of the case, if the name of the reference has them.
  package let arguments: String
  package let site: AssertionSite

  package init(test: String, arguments: String = "", site: AssertionSite) {
    (self.test, self.arguments, self.site) = (test, arguments, site)
  }

  package func isSameTest(as other: ReferenceUser) -> Bool {
    test.utf8.elementsEqual(other.test.utf8) && arguments.utf8.elementsEqual(other.arguments.utf8)
  }
}

/// The source location of an assertion.
package struct AssertionSite: Sendable, Equatable, CustomStringConvertible {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.line == right.line && left.column == right.column && left.fileID.description == right.fileID.description
  }

  package var description: String { "\(fileID):\(line):\(column)" }
}

/// The snapshots that the assertions of this process compared, recorded or left pending.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class TestProcess: @unchecked Sendable {
  package static let shared: TestProcess = {
    atexit { TestProcess.shared.end() }
    return TestProcess(
      listingUsesIn: ProcessInfo.processInfo.environment[usesVariable].flatMap { $0.isEmpty ? nil : $0 })
  }()

  /// The environment variable with a folder in which each process lists the references that it uses.
  ///
  /// Each path ends in a zero byte, and the list of a process that exits ends in an empty path.
  package static let usesVariable = "SNAPSHOT_USED_REFERENCES"

  package struct Use {
    /// The snapshot that was recorded or left pending; `nil` if it matched, or if two were different.
    var fingerprint: String?
    /// Whether this process recorded the reference.
    package var isRecorded = false
    /// Whether this process left another snapshot pending.
    package var isPending: Bool { fingerprint != nil && !isRecorded }
  }

  private let lock = NSLock()
  private var numbers: [String: [String: Int]] = [:]
  // The keys are bytes, as in the file system: the two Unicode forms of é are two names.
  private var users: [[UInt8]: ReferenceUser] = [:]
  private var uses: [[UInt8]: Use] = [:]
  private let list: UnsafeMutablePointer<FILE>?

  package init(listingUsesIn folder: String? = nil) {
    list = folder.flatMap { fopen("\($0)/\(UUID().uuidString)", "a") }
  }

  deinit { if let list { fclose(list) } }

  /// Returns the next number of an unnamed assertion, from 1.
  ///
  /// - Parameters:
  ///   - test: The test, with the arguments of the case.
  ///   - file: The path of the reference without the number.
  package func nextNumber(in test: String, of file: String) -> Int {
    lock.withLock {
      numbers[test, default: [:]][file, default: 0] += 1
      return numbers[test]?[file] ?? 1
    }
  }

  /// Starts the numbers of a test at 1 again, because the test runs again; of each test if `test` is `nil`.
  package func resetNumbers(of test: String? = nil) {
    lock.withLock { if let test { numbers[test] = nil } else { numbers = [:] } }
  }

  /// Notes the user of a reference, and returns the first one if that is another.
  package func claim(_ path: String, for user: ReferenceUser) -> ReferenceUser? {
    let key = Array(path.utf8)
    return lock.withLock {
      guard let first = users[key] else {
        users[key] = user
        write(key)
        return nil
      }
      return first.isSameTest(as: user) && first.site == user.site ? nil : first
    }
  }

  /// Ends the list of used references, because the process exits.
  package func end() { lock.withLock { write([]) } }

  private func write(_ path: [UInt8]) {
    guard let list else { return }
    // Paths can contain line feeds, and no zero bytes.
    fwrite(path + [0], 1, path.count + 1, list)
    fflush(list)
  }

  /// Notes a snapshot that matches, and returns the earlier use of its reference.
  package func noteMatch(of key: String) -> Use {
    lock.withLock {
      let use = uses[Array(key.utf8), default: Use()]
      uses[Array(key.utf8)] = use
      return use
    }
  }

  /// Notes a snapshot that will be recorded or left pending.
  ///
  /// - Returns: `false` if the same reference, or the same inline assertion, had a different snapshot before.
  package func noteChange(of key: String, to data: Data, isRecorded: Bool) -> Bool {
    let fingerprint = Fingerprint.of(data)
    return lock.withLock {
      var use = uses[Array(key.utf8), default: Use(fingerprint: fingerprint)]
      guard use.fingerprint == fingerprint else {
        // Each later run differs from one of the two.
        uses[Array(key.utf8)]?.fingerprint = nil
        return false
      }
      use.isRecorded = use.isRecorded || isRecorded
      uses[Array(key.utf8)] = use
      return true
    }
  }
}
