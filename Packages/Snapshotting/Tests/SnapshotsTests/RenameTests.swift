import Foundation
import Loopback
import SnapshotStore
import TerminalTesting
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
    for name in ["page", "other"] { try writeOld("same", to: "\(Self.folder)/\(name).1.txt") }
    try project.leave("same", over: nil, of: Self.new, test: "screen()", time: Date(timeIntervalSinceNow: -60))
  }

  private func writeOld(_ text: String, to path: String) throws {
    try project.write(text, to: path)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: "\(project.root)/\(path)")
  }

  private var offer: String? { project.store.renames(of: project.store.contents().snapshots)[Self.new] }

  @Test("a pending snapshot with the content of a reference whose test is missing is offered as a rename")
  func offered()
    async throws
  {
    #expect(offer == Self.old)
    let words = "same content as \(Self.old), no test in its file uses it"
    #expect(try await project.run(["status"]).output.contains(words))
    #expect(try await project.run(["status", "--json"]).output.contains(#""renamedFrom":"\#(Self.old)""#))
  }

  @Test("the reference of a renamed test file is found") func file() throws {
    try writeOld("same", to: "Tests/__Snapshots__/Deleted/screen.1.txt")
    try FileManager.default.removeItem(atPath: "\(project.root)/\(Self.old)")
    #expect(offer == "Tests/__Snapshots__/Deleted/screen.1.txt")
  }

  @Test("a reference that a test uses is not offered as a rename, also below a folder with an accent") func nonASCII()
    throws
  {
    let folder = "T\u{E9}sts/__Snapshots__/A"
    try project.write("@Test func screen() {}\n@Test func other() {}", to: "T\u{E9}sts/A.swift")
    try writeOld("same", to: "\(folder)/other.1.txt")
    try project.leave("same", over: nil, of: "\(folder)/screen.1.txt", time: Date(timeIntervalSinceNow: -60))
    #expect(project.store.renames(of: project.store.contents().snapshots).count == 1 && offer == Self.old)
  }

  @Test("other content, another path extension and an existing test are no rename", arguments: ["samE", "same "])
  func different(_ text: String) throws {
    try writeOld(text, to: Self.old)
    try writeOld("same", to: "\(Self.folder)/page.1.json")
    #expect(offer == nil)
  }

  @Test("of several references with the content, the one of the same assertion is offered") func several() throws {
    try writeOld("same", to: "\(Self.folder)/gone.2.txt")
    #expect(offer == Self.old)
  }

  @Test("accept keeps the old reference, and accept --rename deletes it", arguments: [false, true])
  func accept(renames: Bool) async throws {
    let outcome = try await project.run(["accept"] + (renames ? ["--rename"] : []))
    #expect(outcome == (0, "Accepted 1 snapshot.\n", ""))
    #expect(project.text(of: Self.new) == "same" && project.text(of: "\(Self.folder)/other.1.txt") == "same")
    #expect(project.text(of: Self.old) == (renames ? nil : "same"))
  }

  @Test(
    "a reference that a helper, a macro or a text in the source may use is no rename",
    arguments: [
      "func page() {}", "@Snapshot func page() {}", "func page<T>(_ value: T) {}", "let name = \"page\"", "page (1)",
    ])
  func used(_ source: String) throws {
    try project.write("@Test func screen() {}\n@Test func other() {}\n\(source)", to: "Tests/A.swift")
    #expect(offer == nil)
  }

  @Test("a reference that was accepted after the test is no rename, and one is offered only once") func accepted()
    async throws
  {
    try project.leave(
      "same", over: nil, of: "\(Self.folder)/view.1.txt", test: "view()", time: Date(timeIntervalSinceNow: -60))
    #expect(project.store.renames(of: project.store.contents().snapshots).count == 1)
    #expect(try await project.run(["accept", "--rename", "screen"]).code == 0)
    #expect(project.text(of: Self.old) == nil && offer == nil)
    #expect(try await project.run(["accept", "--rename"]).code == 0)
    #expect(project.text(of: Self.new) == "same" && project.text(of: "\(Self.folder)/view.1.txt") == "same")
  }

  @Test("a test that is declared again during a review keeps its reference") func declaredAgain() throws {
    let snapshots = project.store.contents().snapshots
    let renames = project.store.renames(of: snapshots)
    try project.write("@Test func screen() {}\n@Test func page() {}", to: "Tests/A.swift")
    #expect(project.store.accept(snapshots, renames: renames).count == 1)
    #expect(project.text(of: Self.old) == "same" && project.names == [Self.new])
  }

  @Test("an old reference that has changed since is not deleted") func changed() throws {
    let snapshots = project.store.contents().snapshots
    let renames = project.store.renames(of: snapshots)
    try project.write("changed", to: Self.old)
    let refused = project.store.accept(snapshots, renames: renames)
    #expect(refused.first?.error.description.contains("\(Self.old) is in use now, or has changed.") == true)
    #expect(project.text(of: Self.old) == "changed" && project.text(of: Self.new) == nil)
  }

  @Test("a refused snapshot keeps the old reference") func refused() async throws {
    try project.write("recorded", to: Self.new)
    #expect(try await project.run(["accept", "--rename"]).code == 1)
    #expect(project.text(of: Self.old) == "same" && project.text(of: Self.new) == "recorded")
  }

  @Test("a review offers the rename with a key") func review() async throws {
    let terminal = try TerminalProcess(["review"], in: project, columns: 120)
    try await terminal.wait(for: "m deletes \(Self.old): it has the same content, and no test in its file uses it")
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
    #expect(text.contains("same content as \(Self.old), no test in its file uses it"))
    #expect(text.contains("<button formaction=\"/rename?token=\(token)\">Accept and delete the old reference</button>"))
    let snapshot = try #require(project.store.contents().snapshots.first)
    let form = "id=\(snapshot.id)&fingerprint=\(snapshot.fingerprint)&old="
    let other = HTTPRequest(.post, "/rename", query: query, body: Array((form + "Tests/other.txt").utf8))
    #expect(await server.router.reply(to: other).response?.status == .conflict)
    #expect(project.text(of: Self.new) == nil && project.text(of: Self.old) == "same")
    let request = HTTPRequest(.post, "/rename", query: query, body: Array((form + Self.old).utf8))
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
