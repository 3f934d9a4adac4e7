import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("Used references") struct UsedReferencesTests {
  @Test("a process lists each path once, also with a line feed in its name") func notes() throws {
    let folder = try TemporaryFolder()
    let references = UsedReferences(folder: folder.path)
    for path in ["/a.txt", "/b\nc.txt", "/a.txt"] { references.note(path) }
    let file = try #require(ReferenceFiles.names(in: folder.path).first)
    #expect(FileManager.default.contents(atPath: folder.file(file)) == Data("/a.txt\0/b\nc.txt\0".utf8))
  }

  @Test("without a folder, nothing is written") func none() throws {
    let folder = try TemporaryFolder()
    UsedReferences(folder: nil).note("/a.txt")
    UsedReferences(folder: "").note("/a.txt")
    #expect(ReferenceFiles.names(in: folder.path).isEmpty)
  }
}
