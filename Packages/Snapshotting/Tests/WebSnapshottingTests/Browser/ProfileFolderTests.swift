import Foundation
import ParallelTesting
import Testing

@testable import WebSnapshotting

@Suite("Profile folders")
struct ProfileFolderTests {
  @Test("A sweep removes what dead owners left, and leaves alone what has an owner or is no such folder")
  func sweep() throws {
    let parent = try TemporaryFolder()
    let alive = try ProfileFolder(in: parent.path)
    let dead = "\(parent.path)/\(ProfileFolder.prefix)dead"
    try FileManager.default.createDirectory(atPath: "\(dead)/profile", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(dead).lock"))
    try Data().write(to: URL(fileURLWithPath: "\(parent.path)/other.lock"))
    ProfileFolder.sweep(parent.path)
    #expect(FileManager.default.fileExists(atPath: alive.path))
    #expect(!FileManager.default.fileExists(atPath: dead) && !FileManager.default.fileExists(atPath: "\(dead).lock"))
    #expect(FileManager.default.fileExists(atPath: "\(parent.path)/other.lock"))
    alive.remove()
    #expect(parent.contents == ["other.lock"])
  }

  @Test("A folder that cannot be made is an error that names it")
  func impossible() throws {
    let error = try #require(throws: WebError.self) { try ProfileFolder(in: "/dev/null") }
    #expect(error.kind == .cannotStart && error.description.contains("/dev/null/web-snapshotting-"))
  }
}
