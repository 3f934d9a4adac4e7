import Foundation
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Profile folders")
struct ProfileFolderTests {
  @Test("a sweep removes folders of ended owners only")
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

  @Test("a sweep ignores folders of other users, and links")
  func strangers() throws {
    let (parent, other) = (try TemporaryFolder(), try TemporaryFolder())
    let files = FileManager.default
    let names = ["dead", "linked-lock", "linked-folder"].map { "\(ProfileFolder.prefix)\($0)" }
    try Data().write(to: URL(fileURLWithPath: "\(other.path)/lock"))
    for name in names {
      let path = "\(parent.path)/\(name)"
      if name.hasSuffix("linked-folder") {
        try files.createSymbolicLink(atPath: path, withDestinationPath: other.path)
      } else {
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      if name.hasSuffix("linked-lock") {
        try files.createSymbolicLink(atPath: "\(path).lock", withDestinationPath: "\(other.path)/lock")
      } else {
        try Data().write(to: URL(fileURLWithPath: "\(path).lock"))
      }
    }
    let all = names.flatMap { [$0, "\($0).lock"] }.sorted()
    ProfileFolder.sweep(parent.path, of: geteuid() + 1)
    #expect(parent.contents.sorted() == all)
    ProfileFolder.sweep(parent.path)
    #expect(parent.contents.sorted() == all.filter { !$0.hasPrefix(names[0]) } && other.contents == ["lock"])
  }

  @Test("a folder that cannot be created is an error with its path")
  func impossible() throws {
    let error = try #require(throws: WebError.self) { try ProfileFolder(in: "/dev/null") }
    #expect(error.kind == .cannotStart && error.description.contains("/dev/null/web-snapshotting-"))
  }

  #if os(Linux)
    @Test("a file that cannot be written is an error with the system's message and the next step")
    func fullDisk() throws {
      let parent = try TemporaryFolder()
      let folder = try ProfileFolder(in: parent.path)
      defer { folder.remove() }
      try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/a", withDestinationPath: "/dev/full")
      for (name, reason) in [
        ("a", "No space left on device. Free disk space, or set TMPDIR to another folder."),
        ("none/a", "No such file or directory. Set TMPDIR to a writable folder."),
      ] {
        let error = #expect(throws: WebError.self) { try folder.write("text", to: name) }
        #expect(
          error?.description == "Cannot write \(folder.path)/\(name) for the browser's profile: \(reason)")
      }
    }
  #endif
}
