import Foundation
import OrderTakingServer
import TestSupport
import Testing

@Suite("The audit log in a file") struct AuditLogTests {
  let entry = AuditEntry(
    at: .milliseconds(1_795_576_321_500), order: "a\n\"b", result: "accepted", status: 200, driver: "ann",
    tokenID: "ca978112ca1b", key: "0", address: "127.0.0.1")

  @Test("entries are lines of JSON for the owner alone, after those of earlier processes") func lines() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("audit.jsonl")
    for _ in 0..<2 { try AuditLog.file(at: path).record(entry) }
    let line =
      #"{"address":"127.0.0.1","at":"2026-11-25T03:12:01.500Z","driver":"ann","key":"0","order":"a\n\"b","result":"accepted","status":200,"token":"ca978112ca1b"}"#
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
}
