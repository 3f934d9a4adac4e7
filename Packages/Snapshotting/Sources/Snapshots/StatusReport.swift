internal import Foundation
internal import SnapshotStore

enum StatusReport {
  /// - Parameter renames: The references of renamed tests, by the names of their snapshots.
  static func text(_ snapshots: [PendingSnapshot], renames: [String: String] = [:]) -> String {
    let new = snapshots.count { $0.isNew }
    let counts = [(new, "new"), (snapshots.count - new, "changed")].filter { $0.0 > 0 }.map { "\($0) \($1)" }
    let total = snapshots.count == 1 ? "1 snapshot is pending" : "\(snapshots.count) snapshots are pending"
    let lines = snapshots.flatMap { snapshot in
      ["  \(line(snapshot))"] + (renames[snapshot.name].map { ["           \(rename(from: $0))"] } ?? [])
    }
    return
      (["\(total), \(counts.joined(separator: " and ")):"] + lines + [
        "To review them: snapshots review, or swift package --allow-writing-to-package-directory snapshots review"
      ]).map {
        $0 + "\n"
      }.joined()
  }

  static func rename(from old: String) -> String { visible("same content as \(old), \(missingTest)") }

  static let sameContent = "it has the same content, and \(missingTest)"
  private static let missingTest = "no test in its file uses it"

  static func line(_ snapshot: PendingSnapshot) -> String {
    let kind = snapshot.inline == nil ? "" : " (inline)"
    return visible("\(snapshot.isNew ? "new    " : "changed")  \(snapshot.name)\(kind)  \(snapshot.testName)")
  }

  static func details(_ snapshot: PendingSnapshot) -> String {
    let settings = (snapshot.comparison ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let place = "\(snapshot.source.file):\(snapshot.source.line)"
    return visible(([place] + [snapshot.strategy].compactMap(\.self) + settings).joined(separator: ", "))
  }

  /// Returns a text with symbols for control characters, which a terminal would interpret.
  static func visible(_ text: String, except kept: Set<Unicode.Scalar> = []) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(kept.contains(scalar) ? scalar : symbol(for: scalar)) }
    return String(result)
  }

  private static func symbol(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case ..<32: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 127: "\u{2421}"
    // The rest of the control characters, and those for the direction of text.
    case 128..<160, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar
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
      let strategy: String?
      let comparison: [String: String]?
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
        file: $0.source.file, line: $0.source.line, test: $0.testName, strategy: $0.strategy,
        comparison: $0.comparison, time: $0.time)
    }
    let new = snapshots.count { $0.isNew }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(Report(new: new, changed: snapshots.count - new, pending: entries))
    return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
  }
}
