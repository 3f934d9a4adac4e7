import Foundation
import OrderTaking
import OrderTakingServer
import TestSupport
import Testing

@Suite("The audit log in a file") struct AuditLogTests {
  let entry = AuditEntry(
    at: .milliseconds(1_795_576_321_500 as Int64), order: "a\n\"b", result: "accepted", status: 200, driver: "ann",
    tokenID: "ca978112ca1b", key: "0", address: "127.0.0.1")

  @Test("entries are appended as lines of JSON to a file that only its owner can read") func lines() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("audit.jsonl")
    for _ in 0..<2 { try AuditLog.file(at: path).record(entry) }
    let line =
      #"{"address":"127.0.0.1","at":"2026-11-25T03:12:01.500Z","driver":"ann","key":"0","order":"a\n\"b","result":"accepted","status":200,"token_hash":"ca978112ca1b"}"#
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(line)\n\(line)\n")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("a path that is not a regular file is refused", arguments: ["/dev/full", "/", "/none/audit"])
  func refused(path: String) {
    #expect(throws: OrderStoreError.self) { try AuditLog.file(at: path) }
  }

  @Test("a pipe does not block the server's start") func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: OrderStoreError.self) { try AuditLog.file(at: path) }
  }

  @Test("after an incomplete line, an entry begins a new line, also in a new process") func tornLine() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("audit.jsonl")
    try #"{"address":"127.0"#.write(toFile: path, atomically: true, encoding: .utf8)
    try AuditLog.file(at: path).record(entry)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[1] == entry.json)
  }

  @Test("a file with other contents is refused and not changed", arguments: ["SQLite format 3\0", "-----BEGIN", "\n"])
  func otherContents(contents: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state.sqlite")
    try contents.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: OrderStoreError.self) { try AuditLog.file(at: path) }
    #expect(error?.description.contains("the file has other contents. Use another path.") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == contents)
  }

  @Test("no character of an entry controls a terminal or ends a line") func controlCharacters() throws {
    var entry = entry
    entry.order = "a\u{9B}2J\u{2028}\u{202E}\u{7F}\u{85}\u{E0001}b"
    #expect(entry.json.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.properties.generalCategory != .format })
    #expect(entry.json.contains(#""a\u009b2J\u2028\u202e\u007f\u0085\udb40\udc01b""#))
    struct Line: Decodable { let order: String }
    #expect(try JSONDecoder().decode(Line.self, from: Data(entry.json.utf8)).order == entry.order)
  }

  @Test("a refused file closes its descriptor once, so that no other file is closed") func oneClose() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("state.sqlite")
    try "SQLite".write(toFile: path, atomically: true, encoding: .utf8)
    let isStopped = Locked(false)
    let opener = Task.detached {
      var failures = 0
      while !isStopped.withLock({ $0 }) {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        for _ in 0..<20 where fcntl(descriptor, F_GETFD) < 0 { failures += 1 }
        close(descriptor)
      }
      return failures
    }
    for _ in 0..<5_000 { _ = try? AuditLog.file(at: path) }
    isStopped.withLock { $0 = true }
    #expect(await opener.value == 0)
  }
}
