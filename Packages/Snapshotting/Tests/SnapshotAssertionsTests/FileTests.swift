import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("Invalid and special reference files")
struct FileTests {
  private let snapshots = SnapshotFolder()

  @Test("a folder with the name of the reference is an error")
  func directory() throws {
    try FileManager.default.createDirectory(atPath: snapshots.path + "/test.1.txt", withIntermediateDirectories: true)
    #expect(snapshots.failure(of: "a")?.contains("it is not a regular file") == true)
  }

  @Test("a pipe with the name of the reference is an error, and does not block")
  func pipe() throws {
    try snapshots.write("", to: "x")
    try #require(mkfifo(snapshots.path + "/test.1.txt", 0o600) == 0)
    #expect(snapshots.failure(of: "a")?.contains("it is not a regular file") == true)
  }

  @Test("a symbolic link to itself is an error")
  func loop() throws {
    try snapshots.write("", to: "x")
    try FileManager.default.createSymbolicLink(
      atPath: snapshots.path + "/test.1.txt", withDestinationPath: "test.1.txt")
    #expect(snapshots.failure(of: "a")?.contains("Cannot read /") == true)
  }

  @Test("a text reference that is not UTF-8 is an error")
  func notUTF8() throws {
    try snapshots.write("", to: "x")
    try Data([0x61, 0xFF]).write(to: URL(fileURLWithPath: snapshots.path + "/test.1.txt"))
    #expect(
      snapshots.failure(of: "a")?.contains("The data is not valid UTF-8") == true
    )
  }

  @Test("a file with the name of the folder is an error")
  func fileForFolder() throws {
    try Data().write(to: URL(fileURLWithPath: snapshots.path))
    let failure = snapshots.failure(of: "a") ?? ""
    #expect(
      failure.contains("Cannot create the directory \(snapshots.path): \(snapshots.path) is not a folder."),
      "\(failure)")
  }

  @Test("names that are too long for the file system are cut, and different names have different files")
  func tooLong() {
    let long = String(repeating: "é", count: 300)
    let tests = [long + "a", long + "b"]
    for (text, test) in zip(["1", "2"], tests) {
      _ = snapshots.failure(of: text, testName: test, line: 1)
      _ = snapshots.failure(of: text, named: test, testName: "named()", line: 2)
      let arguments = [ReferenceNaming.escaped(test), ReferenceNaming.escaped(test)].joined(separator: ",")
      _ = snapshots.failure(of: text, in: .made(arguments: .known(arguments)), line: 3)
    }
    #expect(snapshots.files.count == 6)
    for (text, test) in zip(["1", "2"], tests) {
      #expect(snapshots.outcome(of: text, as: .lines, testName: test, in: .made(line: 2), line: 1).failure == nil)
    }
  }

  @Test("a huge reference is not read, and the failure names the limit")
  func huge() throws {
    try snapshots.write("", to: "test.1.txt")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: snapshots.path + "/test.1.txt"))
    try handle.truncate(atOffset: 1 << 30)  // a hole, which takes no room
    try handle.close()
    #expect(snapshots.failure(of: "a")?.contains("has 1073741824 bytes, and the limit is") == true)
  }

  @Test("a read-only reference is not replaced, even by the superuser", arguments: [0o444, 0o555])
  func readOnly(permissions: Int) throws {
    try snapshots.write("old", to: "test.a.txt")
    let path = snapshots.path + "/test.a.txt"
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    for record in [SnapshotTestingConfiguration.Record.all, .failed] {
      let failure = snapshots.failure(of: "new", named: "a", record: record, line: 1)
      #expect(failure?.contains("because the file is read-only. Make it writable") == true)
    }
    #expect(snapshots.text(of: "test.a.txt") == "old" && snapshots.files == ["test.a.txt"])
  }

  @Test("a reference keeps its permissions and its owner")
  func attributes() throws {
    try snapshots.write("old", to: "test.a.txt")
    let path = snapshots.path + "/test.a.txt"
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let owner: uid_t = getuid() == 0 ? 65_534 : getuid()
    try #require(chown(path, owner, owner == 65_534 ? 65_534 : getgid()) == 0)
    _ = snapshots.failure(of: "new", named: "a", record: .all)
    #expect(snapshots.text(of: "test.a.txt") == "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(attributes[.ownerAccountID] as? Int == Int(owner))
  }

  @Test("temporary files of killed processes are removed, and other files are kept")
  func abandoned() throws {
    let old = Date(timeIntervalSinceNow: -3_600)
    // No process has the maximum number.
    let (dead, living) = (Int32.max, getpid())
    let files = [
      (".1.\(dead).tmp", old, false), (".2.\(living).tmp", old, true), (".3.\(dead).tmp", Date(), true),
      (".x.\(dead).tmp", old, true), ("4.\(dead).tmp", old, true),
    ]
    for (name, date, _) in files {
      try snapshots.write("x", to: name)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(snapshots.path)/\(name)")
    }
    _ = snapshots.failure(of: "a", named: "a")
    #expect(snapshots.files == (files.filter(\.2).map(\.0) + ["test.a.txt"]).sorted())
  }
}
