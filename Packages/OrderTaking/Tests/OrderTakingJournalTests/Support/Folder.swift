import Foundation
import Futures
import OrderTaking

@testable import OrderTakingJournal

final class Folder: Sendable {
  // In memory if possible, because these tests need no durable disk.
  let path =
    (FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory() + "/")
    + "journal-\(UUID().uuidString)"

  init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/journal.sqlite" }

  var log: String { file + "-wal" }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func bytes() throws -> [UInt8] { try Self.bytes(of: file) }

  func logBytes() throws -> [UInt8] { try Self.bytes(of: log) }

  static func bytes(of file: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }

  func writeLog(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: log)) }

  /// Returns copies of the closed journal with a flipped bit in the root page of a table or an index.
  ///
  /// - Parameter places: The positions in the page. A negative position counts from the end.
  func flipped(inPageOf name: String, _ places: some Sequence<Int>) throws -> [(place: Int, bytes: [UInt8])] {
    let bytes = try bytes()
    let database = try Database(at: file)
    defer { database.close() }
    let root = try database.query("SELECT rootpage FROM sqlite_schema WHERE name = ?", [.text(name)])
    guard case .integer(let page)? = root.first?.first else { throw Wrong(what: "no page of \(name)") }
    return places.flatMap { place in
      (0..<8).map { bit in
        var flipped = bytes
        flipped[(Int(page) - (place < 0 ? 0 : 1)) * 4_096 + place] ^= 1 << UInt8(bit)
        return (place, flipped)
      }
    }
  }

  func removeAll() throws {
    for name in names { try FileManager.default.removeItem(atPath: path + "/" + name) }
  }

  func open(
    server: String = "http://one.example", hook: Database.Hook? = nil
  ) throws(JournalError) -> SQLiteJournal<Int> {
    try SQLiteJournal(
      at: file, server: server, .forever, hook: hook, encode: { $0.description }, decode: { Int($0) })
  }

  func fill(_ count: Int) async throws -> [TakingRecord<Int>] {
    let records = (0..<count).map { record($0, body: Array(repeating: UInt8($0 % 256), count: 100)) }
    let journal = try open()
    for written in records.map({ journal.journal.write($0) }) { try await written.get() }
    journal.close()
    return records
  }
}

/// A record whose number is also the second at which it began.
func record(
  _ order: Int, _ checkpoint: TakingCheckpoint = .begun, body: [UInt8] = [], key: UInt64 = 7, isDelivered: Bool = false
) -> TakingRecord<Int> {
  TakingRecord(
    intent: TakingIntent(order: order, key: IdempotencyKey(high: key, low: UInt64(order)), body: body),
    begunAt: .seconds(order), checkpoint: checkpoint, isDelivered: isDelivered)
}

struct Wrong: Error { let what: String }
