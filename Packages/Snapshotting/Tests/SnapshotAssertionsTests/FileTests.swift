import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("Invalid and special reference files")
struct FileTests {
  private let snapshots = SnapshotFolder()

  @Test("a folder or a symbolic link to itself with the name of the reference is an error")
  func notAFile() throws {
    try FileManager.default.createDirectory(atPath: snapshots.path + "/test.a.txt", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: snapshots.path + "/test.b.txt", withDestinationPath: "test.b.txt")
    for name in ["a", "b"] { #expect(snapshots.failure(of: "a", named: name)?.contains("Cannot read /") == true) }
  }

  @Test(
    "a text reference that is not what a test recorded is named, and mode all replaces it",
    arguments: [
      (Data([0x61, 0xFF]), "The data is not valid UTF-8"),
      (Data("version https://git-lfs.github.com/spec/v1\noid sha256:1\n".utf8), "Run `git lfs pull`"),
    ])
  func damaged(reference: Data, cause: String) throws {
    try snapshots.write("", to: "x")
    try reference.write(to: URL(fileURLWithPath: snapshots.path + "/test.a.txt"))
    for record in [SnapshotTestingConfiguration.Record.missing, .failed, .never] {
      let failure = snapshots.failure(of: "a", named: "a", record: record, line: 1)
      #expect(failure?.hasPrefix("Cannot read the reference") == true && failure?.contains(cause) == true)
      #expect(failure?.contains("accept") == false)
    }
    #expect(snapshots.failure(of: "a", named: "a", record: .all, line: 1)?.hasPrefix("Record mode is on") == true)
    #expect(snapshots.text(of: "test.a.txt") == "a")
  }

  @Test("a file with the name of the folder is an error")
  func fileForFolder() throws {
    try Data().write(to: URL(fileURLWithPath: snapshots.path))
    #expect(snapshots.failure(of: "a")?.hasPrefix("Cannot ") == true)
  }

  @Test("names that are too long for the file system are cut, and different names have different files")
  func tooLong() {
    let long = String(repeating: "é", count: 300)
    let tests = [long + "a", long + "b"]
    for (text, test) in zip(["1", "2"], tests) {
      _ = snapshots.failure(of: text, testName: test, in: .made(test), line: 1)
      _ = snapshots.failure(of: text, named: test, testName: "named()", line: 2)
      _ = snapshots.failure(of: text, in: .made(arguments: .known([test, test])), line: 3)
    }
    #expect(snapshots.files.count == 6)
  }

  @Test("a read-only reference is not replaced, even by the superuser", arguments: [0o444, 0o555])
  func readOnly(permissions: Int) throws {
    try snapshots.write("old", to: "test.a.txt")
    let path = snapshots.path + "/test.a.txt"
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    for record in [SnapshotTestingConfiguration.Record.all, .failed] {
      let failure = snapshots.failure(of: "new", named: "a", record: record, line: 1)
      #expect(failure?.contains("the file is read-only. Make it writable: chmod u+w") == true)
    }
    #expect(snapshots.text(of: "test.a.txt") == "old" && snapshots.files == ["test.a.txt"])
  }

  @Test("a reference keeps its permissions, and a symbolic link to it stays")
  func attributes() throws {
    try snapshots.write("old", to: "real.txt")
    let (path, link) = (snapshots.path + "/real.txt", snapshots.path + "/test.a.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.txt")
    _ = snapshots.failure(of: "new", named: "a", record: .all)
    #expect(snapshots.text(of: "real.txt") == "new" && snapshots.files == ["real.txt", "test.a.txt"])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.txt")
  }

  #if os(Linux)
    // A process of its own, which drops its privileges.
    @Test("a folder or a file without permission is a clear failure, and nothing changes")
    func permissions() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        for name in ["a", "c"] { try snapshots.write("old", to: "test.\(name).txt") }
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: snapshots.path + "/test.c.txt")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: snapshots.path)
        // The superuser can write to every folder, so the test continues as the user nobody.
        if getuid() == 0 {
          try #require(chown(snapshots.path, 65_534, 65_534) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
        }
        for name in ["a", "b", "c"] {
          let failure = snapshots.failure(of: "new", named: name, record: .all) ?? ""
          try #require(failure.hasPrefix("Cannot \(name == "c" ? "read" : "write") /"), "\(failure)")
          try #require(failure.contains("Permission denied"), "\(failure)")
        }
        try #require(snapshots.files == ["test.a.txt", "test.c.txt"] && snapshots.text(of: "test.a.txt") == "old")
      }
    }

    // The size limit of a process of its own interrupts the write.
    @Test("a write that fails is a clear failure, keeps the old file, and leaves no temporary file")
    func noRoom() async {
      await #expect(processExitsWith: .success) {
        let snapshots = SnapshotFolder()
        try snapshots.write("old", to: "test.a.txt")
        var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
        signal(SIGXFSZ, SIG_IGN)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let failure = snapshots.failure(of: String(repeating: "line\n", count: 10_000), named: "a", record: .all)
        try #require(failure?.contains("Cannot write /") == true, "\(failure ?? "")")
        try #require(snapshots.files == ["test.a.txt"] && snapshots.text(of: "test.a.txt") == "old")
      }
    }
  #endif
}
