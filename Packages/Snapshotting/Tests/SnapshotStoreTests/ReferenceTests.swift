import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("The names of reference files")
struct ReferenceNamesTests {
  @Test(
    "the sanitised form of a name is that of swift-snapshot-testing",
    arguments: [
      ("testFoo()", "testFoo"), ("foo(x:y:)", "foo-x-y"), ("a/b", "a-b"), ("a b", "a-b"), ("a-b", "a-b"),
      ("--a--", "a"), ("..", ""), ("", ""), ("😀", ""), ("é_1", "é_1"), ("e\u{301}", "e\u{301}"), ("a. -b", "a-b"),
      ("bird(_:)", "bird-_"),
    ])
  func sanitized(name: String, file: String) {
    #expect(ReferenceNames.sanitized(name).utf8.elementsEqual(file.utf8))
  }

  @Test("a file name has the function, the arguments and the name in this order")
  func fileNames() {
    func name(_ name: String?, arguments: [String]? = nil, pathExtension: String? = "txt") -> String {
      ReferenceNames.fileName(test: "a(_:)", arguments: arguments, name: name, pathExtension: pathExtension)
    }
    #expect(name("x y") == "a-_.x-y.txt" && name("1", arguments: ["owl", "2"]) == "a-_@owl,2.1.txt")
    #expect(name("1", pathExtension: nil) == "a-_.1" && name(nil) == "a-_.txt")
  }

  @Test("paths in messages are relative to the package")
  func pathsInPackages() {
    #expect(pathInPackage(#filePath) == "Tests/SnapshotStoreTests/ReferenceTests.swift")
    #expect(pathInPackage("/nowhere/x") == "/nowhere/x" && pathInPackage("x") == "x")
  }

  @Test("a path in a root with a name that is not ASCII is relative to it", arguments: ["\u{E9}", "e\u{301}", "🐦"])
  func roots(name: String) {
    #expect(ProjectRoot.relative("/\(name)/Tests/a.txt", to: "/\(name)") == "Tests/a.txt")
    #expect(ProjectRoot.relative("/\(name)s/a.txt", to: "/\(name)") == nil)
    #expect(ProjectRoot.relative("/e\u{301}/a.txt", to: "/\u{E9}") == nil)
  }
}

@Suite("Reading and writing reference files")
struct ReferenceFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("concurrent readers see complete versions, and no temporary file remains")
  func torn() async throws {
    let path = folder.file("x")
    let versions = (0..<4).map { Data(repeating: UInt8($0), count: 50_000) }
    try ReferenceFiles.replace(path, with: versions[0])
    try await hammer(threads: 4, iterations: 10) { thread, _ in
      if thread < 2 {
        try ReferenceFiles.replace(path, with: versions[thread])
      } else {
        let read = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(versions.contains(read))
      }
    }
    #expect(folder.contents == ["x"])
  }

  @Test("a process lists each used reference once, also with a line feed in its name")
  func used() throws {
    let process = TestProcess(listingUsesIn: folder.path)
    let site = AssertionSite(fileID: "T/T.swift", filePath: #filePath, line: 1, column: 1)
    for path in ["/a.txt", "/b\nc.txt", "/a.txt"] { _ = process.claim(path, for: ReferenceUser(test: "a", site: site)) }
    process.end()
    let file = try #require(ReferenceFiles.names(in: folder.path).first)
    #expect(FileManager.default.contents(atPath: folder.file(file)) == Data("/a.txt\0/b\nc.txt\0\0".utf8))
  }

  @Test("a symbolic link without a destination is an error with both names, and stays")
  func danglingLink() throws {
    try FileManager.default.createSymbolicLink(atPath: folder.file("a.txt"), withDestinationPath: "moved/b.txt")
    func expectError(_ body: () throws -> Void) {
      let error = #expect(throws: SnapshotError.self, performing: body)
      let reason = "symbolic link \(folder.file("a.txt")) to moved/b.txt: No such file or directory. Restore"
      #expect(error?.description.contains(reason) == true)
    }
    expectError { _ = try ReferenceFiles.read(folder.file("a.txt")) }
    expectError { try ReferenceFiles.replace(folder.file("a.txt"), with: Data()) }
    #expect(folder.contents == ["a.txt"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("a.txt")) == "moved/b.txt")
  }
}
