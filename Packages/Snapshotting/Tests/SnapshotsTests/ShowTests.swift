import Foundation
import ImageSnapshotting
import SnapshotStore
import Testing

@Suite("Showing pending snapshots") struct ShowTests {
  @Test("show prints the new snapshots that match, with their places") func text() async throws {
    let project = try Project()
    try project.write("old", to: "Tests/a.txt")
    try project.leave("new\n\tlines", over: "old", of: "Tests/a.txt", test: "first()")
    try project.leave("other", over: nil, of: "Tests/b.txt", test: "second()")
    let (code, output, errors) = try await project.run(["show", "first"])
    #expect(code == 0 && errors == "")
    #expect(output == "changed  Tests/a.txt  A.first()\nTests/A.swift:3\nnew\n\tlines\n\n")
  }

  @Test("show prints the size and the path of an image") func picture() async throws {
    let project = try Project()
    let snapshot = try project.leavePicture(
      .init(red: 0, green: 0, blue: 0), over: .init(red: 1, green: 1, blue: 1), of: "a.png")
    let output = try await project.run(["show"]).output
    #expect(output.contains("an image of 40×30 pixels: \(project.store.dataPath(of: snapshot))\n"))
  }

  @Test("show prints the size and the path of bytes that are no text") func bytes() async throws {
    let project = try Project()
    try project.leave("a\0b", over: nil)
    #expect(try await project.run(["show"]).output.contains("3 bytes: \(project.root)/.build/pending-snapshots/"))
  }

  @Test("show fails if nothing matches, and succeeds if nothing is pending") func none() async throws {
    let project = try Project()
    #expect(try await project.run(["show"]) == (0, "No snapshots are pending.\n", ""))
    try project.leave("new", over: nil)
    #expect(try await project.run(["show", "third"]).code == 1)
  }
}
