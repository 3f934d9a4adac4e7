import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("Reading and writing reference files")
struct ReferenceFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a comparison finds equal and different bytes at any length")
  func comparison() throws {
    let path = folder.file("x")
    for count in [0, 1, 65_535, 65_536, 65_537, 200_000] {
      var data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
      try ReferenceFiles.replace(path, with: data)
      guard case .equal = try ReferenceFiles.compare(path, with: data) else {
        Issue.record("\(count) bytes")
        continue
      }
      guard count > 0 else { continue }
      let written = data
      data[count - 1] &+= 1
      guard case .different(let other) = try ReferenceFiles.compare(path, with: data), other == written else {
        Issue.record("\(count) bytes, the last one different")
        continue
      }
    }
  }

  @Test("a reference that another process changed at the same time is not replaced by a different snapshot")
  func otherProcess() throws {
    let path = folder.file("test.a.txt")
    let (ours, theirs, old) = (Data("ours".utf8), Data("theirs".utf8), Data("old".utf8))
    // The file was absent for both processes.
    try ReferenceFiles.record(path, with: theirs, over: nil)
    let error = #expect(throws: SnapshotError.self) { try ReferenceFiles.record(path, with: ours, over: nil) }
    #expect(error?.description.contains("another process changed it") == true)
    try ReferenceFiles.record(path, with: theirs, over: nil)
    // Both processes read the same file.
    #expect(throws: SnapshotError.self) { try ReferenceFiles.record(path, with: ours, over: old) }
    #expect(folder.text(of: "test.a.txt") == "theirs")
    try ReferenceFiles.record(path, with: ours, over: theirs)
    #expect(folder.text(of: "test.a.txt") == "ours")
  }

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
}
