import Foundation
import Loopback
import SnapshotStore
import TestSupport
import Testing

@testable import Snapshots

@Suite("References of renamed tests", .timeLimit(.minutes(2))) struct RenameTests {
  static let folder = "Tests/__Snapshots__/A"
  static let old = "\(folder)/page.1.txt"
  static let new = "\(folder)/screen.1.txt"

  private let project: Project

  /// The test `page` was renamed to `screen`; the test `other` has a reference with the same content.
  init() throws {
    project = try Project()
    try project.write("@Test func screen() {}\n@Test func other() {}", to: "Tests/A.swift")
    for name in ["page", "other"] { try project.write("same", to: "\(Self.folder)/\(name).1.txt") }
    try project.leave("same", over: nil, of: Self.new, test: "screen()")
  }

  private var offer: String? { project.store.renames(of: project.store.contents().snapshots)[Self.new] }

  @Test("a pending snapshot with the content of a reference whose test is missing is offered as a rename")
  func offered()
    async throws
  {
    #expect(offer == Self.old)
    let words = "same content as \(Self.old), whose test does not exist"
    #expect(try await project.run(["status"]).output.contains(words))
    #expect(try await project.run(["status", "--json"]).output.contains(#""renamedFrom":"\#(Self.old)""#))
  }

  @Test("the reference of a renamed test file is found") func file() throws {
    try project.write("same", to: "Tests/__Snapshots__/Deleted/screen.1.txt")
    try FileManager.default.removeItem(atPath: "\(project.root)/\(Self.old)")
    #expect(offer == "Tests/__Snapshots__/Deleted/screen.1.txt")
  }

  @Test("other content, another path extension and an existing test are no rename", arguments: ["samE", "same "])
  func different(_ text: String) throws {
    try project.write(text, to: Self.old)
    try project.write("same", to: "\(Self.folder)/page.1.json")
    #expect(offer == nil)
  }

  @Test("of several references with the content, the one of the same assertion is offered") func several() throws {
    try project.write("same", to: "\(Self.folder)/gone.2.txt")
    #expect(offer == Self.old)
  }

  @Test("accept keeps the old reference, and accept --rename deletes it", arguments: [false, true])
  func accept(renames: Bool) async throws {
    let outcome = try await project.run(["accept"] + (renames ? ["--rename"] : []))
    #expect(outcome == (0, "Accepted 1 snapshot.\n", ""))
    #expect(project.text(of: Self.new) == "same" && project.text(of: "\(Self.folder)/other.1.txt") == "same")
    #expect(project.text(of: Self.old) == (renames ? nil : "same"))
  }

  @Test("an old reference that has changed since is not deleted") func changed() throws {
    let snapshots = project.store.contents().snapshots
    let renames = project.store.renames(of: snapshots)
    try project.write("changed", to: Self.old)
    let refused = project.store.accept(snapshots, renames: renames)
    #expect(refused.first?.error.description.contains("it differs from \(Self.new) now") == true)
    #expect(project.text(of: Self.old) == "changed" && project.text(of: Self.new) == "same")
  }

  @Test("a refused snapshot keeps the old reference") func refused() async throws {
    try project.write("recorded", to: Self.new)
    #expect(try await project.run(["accept", "--rename"]).code == 1)
    #expect(project.text(of: Self.old) == "same" && project.text(of: Self.new) == "recorded")
  }

  @Test("a review offers the rename with a key") func review() async throws {
    let terminal = try TerminalProcess(["review"], in: project, columns: 120)
    try await terminal.wait(for: "same content as \(Self.old), whose test does not exist")
    try await terminal.wait(for: "Ctrl-C discard")
    #expect(terminal.reader.lines.last?.hasPrefix(" a accept  m rename  r reject") == true)
    terminal.type("m\r")
    #expect(await terminal.ending() == 0)
    #expect(terminal.isRestored && terminal.reader.lines.contains("Accepted 1 snapshot, rejected 0, skipped 0."))
    #expect(project.text(of: Self.new) == "same" && project.text(of: Self.old) == nil)
  }

  @Test("the served report has a button that also deletes the old reference") func served() async throws {
    let server = ReportServer(project.store) {}
    let token = try #require(server.address(on: 1).split(separator: "=").last.map(String.init))
    let query = URLEncodedFields("token=\(token)")
    let page = try #require(await server.router.reply(to: HTTPRequest(.get, "/", query: query)).response)
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.contains("same content as \(Self.old), whose test does not exist"))
    #expect(text.contains("<button formaction=\"/rename?token=\(token)\">Accept and delete the old reference</button>"))
    let snapshot = try #require(project.store.contents().snapshots.first)
    let form = "id=\(snapshot.id)&fingerprint=\(snapshot.fingerprint)"
    let request = HTTPRequest(.post, "/rename", query: query, body: Array(form.utf8))
    #expect(await server.router.reply(to: request).response?.status == .ok)
    #expect(project.text(of: Self.new) == "same" && project.text(of: Self.old) == nil)
  }

  @Test("unreferenced lists the rename, and prune does not delete the old reference") func unreferenced() async throws {
    let used = "\(project.root)/\(Self.folder)/other.1.txt"
    let script = #"printf '%s\0' "$0" "$1" >"$SNAPSHOT_USED_REFERENCES/1""#
    _ = try await project.run(
      ["test", "--check", "--", "/bin/sh", "-c", script, used, "\(project.root)/\(Self.old)"])
    let line = "renamed       \(Self.old) to \(Self.new), which is pending\n"
    #expect(try await project.run(["unreferenced"]) == (0, line, ""))
    #expect(try await project.run(["prune"]) == (0, line, ""))
    #expect(project.text(of: Self.old) == "same")
  }
}
