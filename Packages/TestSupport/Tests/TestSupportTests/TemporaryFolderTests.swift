import Foundation
import Testing

@testable import TestSupport

@Suite("Temporary folders")
struct TemporaryFolderTests {
  @Test("a temporary folder is new and empty, and is removed with its contents when it is released")
  func lifetime() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let (path, other) = (try #require(folder).path, try TemporaryFolder())
    #expect(folder?.contents == [] && path != other.path)
    for name in ["swift", "puffin"] {
      try Data().write(to: URL(fileURLWithPath: try #require(folder).file(name)))
    }
    #expect(folder?.contents == ["puffin", "swift"] && other.contents == [])
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path) && FileManager.default.fileExists(atPath: other.path))
  }

  @Test("a folder that cannot be created throws an error with its path and a remedy")
  func refused() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("puffin")
    try Data().write(to: URL(fileURLWithPath: file))
    let error = #expect(throws: TemporaryFolderError.self) { try TemporaryFolder(in: file) }
    let text = try #require(error).description
    #expect(text.hasPrefix("Cannot create the folder \(file)/test-"), "\(text)")
    #expect(text.hasSuffix(": Not a directory. Set TMPDIR to an existing, writable folder."), "\(text)")
  }
}
