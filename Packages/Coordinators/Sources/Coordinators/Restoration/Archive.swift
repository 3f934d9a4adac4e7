public import Foundation

extension Navigation where Screen: Encodable {
  /// This navigation as text, a line for each node, of which any part from the beginning can be restored.
  ///
  /// The first line says the version and the identity that the next node gets, each other one is a node in JSON, after the
  /// one that it is in. A file that was cut short, or damaged somewhere, still has the lines before.
  ///
  /// - Throws: What a screen throws while it is encoded.
  public func archived() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var records: [NodeRecord<Screen>] = []
    root.appendRecords(to: &records)
    var archive = Data("navigation \(archiveVersion) \(nextID)\n".utf8)
    for record in records {
      archive.append(try encoder.encode(record))
      archive.append(UInt8(ascii: "\n"))
    }
    return archive
  }
}

extension Restoration where Screen: Decodable {
  /// Restores what can be restored of a text that ``Navigation/archived()`` made.
  ///
  /// Any bytes will do; what they cannot mean is a loss. Takes time in proportion to their number.
  ///
  /// A file may say that a screen belongs to a coordinator that knows nothing of it: one of another version, or edited by
  /// hand. Such a screen would be shown, and what is done on it would do nothing. So say which coordinator has which screens:
  ///
  /// ```swift
  /// Restoration<Screen>(archive: data) { screen, owner in
  ///   switch screen {
  ///   case .words, .word: owner.name == "words"
  ///   case .search: owner.name == "search"
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - archive: The text.
  ///   - isOwn: Whether a coordinator knows a screen; asked once for each screen. One that it does not know is a loss, with
  ///     all that is above it in a stack.
  public init(archive: Data, where isOwn: (Screen, CoordinatorID) -> Bool = { _, _ in true }) {
    var lines = archive.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let header = String(decoding: lines.first ?? Data(), as: UTF8.self)
    if let reason = refusal(ofHeader: header) {
      self.init([], losses: [RestorationLoss(entry: nil, node: nil, reason: reason)])
      return
    }
    let words = header.split(separator: " ")
    lines.removeFirst()
    // The last line ends in a line break; without one it was cut short, and rightly fails to be decoded.
    if lines.last?.isEmpty == true { lines.removeLast() }
    let decoder = JSONDecoder()
    self.init(
      lines.enumerated().map { index, line in
        // A decoder would take a thousand times as long to find out.
        guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}") else {
          return .failure(RestorationLoss(entry: index, node: nil, reason: "it is not a complete JSON object"))
        }
        return Result { try decoder.decode(NodeRecord<Screen>.self, from: Data(line)).checked(isOwn) }
          .mapError { loss(index, $0) }
      }, nextID: words.count > 2 ? Int(words[2]) : nil)
  }
}

private func refusal(ofHeader header: String) -> String? {
  let words = header.split(separator: " ")
  guard words.count >= 2, words[0] == "navigation", let version = Int(words[1]) else {
    return "it does not begin with 'navigation' and a version"
  }
  return version == archiveVersion ? nil : "its version is \(version), but only version \(archiveVersion) is supported"
}

private func loss(_ entry: Int, _ error: any Error) -> RestorationLoss {
  RestorationLoss(entry: entry, node: nil, reason: "it \(reason(of: error))")
}
