internal import Foundation
internal import SnapshotStore

/// The list of pending snapshots, as text and as JSON.
enum StatusReport {
  /// - Parameter renames: The references of renamed tests, by the names of their snapshots.
  static func text(_ snapshots: [PendingSnapshot], renames: [String: String] = [:]) -> String {
    guard !snapshots.isEmpty else { return "No snapshots are pending.\n" }
    let count = snapshots.count == 1 ? "1 snapshot is pending:" : "\(snapshots.count) snapshots are pending:"
    let lines = snapshots.flatMap { snapshot in
      ["  \(line(snapshot))"] + (renames[snapshot.name].map { ["           \(rename(from: $0))"] } ?? [])
    }
    return ([count] + lines + ["To review them: snapshots review"]).map { $0 + "\n" }.joined()
  }

  /// The offer to rename a reference.
  static func rename(from old: String) -> String { visible("same content as \(old), whose test does not exist") }

  /// The state, the place and the test of a snapshot, without control characters.
  static func line(_ snapshot: PendingSnapshot) -> String {
    let kind = snapshot.inline == nil ? "" : " (inline)"
    return visible("\(snapshot.isNew ? "new    " : "changed")  \(snapshot.name)\(kind)  \(snapshot.testName)")
  }

  /// Returns a text whose control characters are replaced, because a terminal would interpret them.
  ///
  /// - Parameter kept: The control characters that stay.
  static func visible(_ text: String, except kept: Set<Character> = []) -> String {
    String(
      text.map { character in
        let isControl = character.unicodeScalars.contains { controls($0) }
        return isControl && !kept.contains(character) ? "\u{FFFD}" : character
      })
  }

  /// Whether a character can control the terminal or the direction of other characters.
  private static func controls(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: scalar.properties.generalCategory == .control
    }
  }

  static func json(_ snapshots: [PendingSnapshot], renames: [String: String]) -> String {
    struct Entry: Encodable {
      let state: String
      let reference: String?
      let renamedFrom: String?
      let file: String
      let line: UInt
      let test: String
      let time: Date
    }
    struct Report: Encodable {
      let new: Int
      let changed: Int
      let pending: [Entry]
    }
    let entries = snapshots.map {
      Entry(
        state: $0.isNew ? "new" : "changed", reference: $0.reference, renamedFrom: renames[$0.name],
        file: $0.source.file, line: $0.source.line,
        test: $0.testName, time: $0.time)
    }
    let new = snapshots.count { $0.isNew }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(Report(new: new, changed: snapshots.count - new, pending: entries))
    return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
  }
}
