internal import Foundation
internal import OrderTaking

/// A text that a journal stores once, with a checksum.
enum Note: String {
  case origin
  case loss

  func checksum(of text: String) -> String { RequestFingerprint(of: Array("\(rawValue):\(text)".utf8)).description }

  func text(in row: [Database.Value]) -> String? {
    guard row.count == 3, case .text(let text) = row[1], row[2] == .text(checksum(of: text)) else { return nil }
    return text
  }
}

extension JournalRecovery {
  init?(encoded text: String) {
    guard let report = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
    self = report
  }

  var encoded: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
