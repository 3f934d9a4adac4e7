import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("The references of a process")
struct ReferenceResolverTests {
  @Test("the numbers of all tests start at 1 again when XCTest starts another test")
  func resetNumbers() {
    // A separate store, because all tests of this process use the shared one.
    let store = ReferenceResolver()
    func path() -> String { store.reference(in: TestIdentity(line: 78)).path }
    #expect([path(), path()] == ["/nowhere/test.1.txt", "/nowhere/test.2.txt"])
    store.resetAllNumbers()
    #expect(path() == "/nowhere/test.1.txt")
  }

  @Test(
    "a name with hyphens at an end or in a row finds its own file again", arguments: ["a-", "-a", "--help", "x--y"])
  func hyphens(_ name: String) throws {
    let folder = try TemporaryFolder()
    for file in ["test.a.txt", "test.\(name).txt"] { try Data().write(to: URL(filePath: folder.file(file))) }
    let store = ReferenceResolver()
    #expect(
      store.reference(in: TestIdentity(line: 1), name: name, folder: folder.path).path
        == folder.file("test.\(name).txt"))
    #expect(
      store.reference(in: TestIdentity(line: 1), name: "a", folder: folder.path).path == folder.file("test.a.txt"))
  }

  @Test(
    "all spellings of a folder give one path", arguments: ["/a/b", "/a/b/", "//a/./b", "/a/c/../b", "/../a/b//."])
  func spellings(_ folder: String) {
    let store = ReferenceResolver()
    #expect(store.reference(in: TestIdentity(line: 1), name: "n", folder: folder).path == "/a/b/test.n.txt")
  }

  @Test("a relative folder is in the current directory")
  func relative() {
    let path = ReferenceResolver().reference(in: TestIdentity(line: 1), name: "n", folder: "a/").path
    #expect(path == "\(FileManager.default.currentDirectoryPath)/a/test.n.txt")
  }

  @Test("100,000 assertions with one name have one reference")
  func sameName() {
    let store = ReferenceResolver()
    let paths = Set((1...100_000).map { _ in store.reference(in: TestIdentity(line: 1), name: "a").path })
    #expect(paths == ["/nowhere/test.a.txt"])
  }
}

extension ReferenceResolver {
  fileprivate func reference(
    in test: TestIdentity, name: String? = nil, folder: String = "/nowhere"
  ) -> Reference {
    reference(
      in: test, suites: { [] }, function: "test()",
      at: AssertionSite(fileID: "T/T.swift", filePath: "/T/T.swift", line: 1, column: 1), folder: folder,
      name: name, prefix: nil, pathExtension: "txt")
  }
}
