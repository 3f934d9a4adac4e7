public import Foundation

extension Navigation where Screen: Encodable {
  /// Returns this navigation as text with one line for each node.
  ///
  /// The first line has the format version and the identity of the next node. Each other line is a node as JSON, after the line
  /// of its parent. A truncated or damaged file can still be restored up to the damage.
  ///
  /// - Throws: The error of a screen that cannot be encoded.
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
  /// Restores the valid part of an archive that ``Navigation/archived()`` returned.
  ///
  /// Accepts any bytes; invalid parts are reported as losses. Takes time proportional to the number of bytes.
  ///
  /// A file that was edited by hand or written by another version can assign a screen to a coordinator that does not
  /// handle it. The screen would be shown, but ignore all actions. The second argument rejects these screens, and the
  /// elements above them in a stack:
  ///
  /// ```swift
  /// Restoration<Screen>(archive: data) { screen, owner in
  ///   switch screen {
  ///   case .words, .word: owner.name == "words"
  ///   case .search: owner.name == "search"
  ///   }
  /// }
  /// ```
  public init(archive: Data, where isOwn: (Screen, CoordinatorID) -> Bool = { _, _ in true }) {
    var lines = archive.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let header = String(decoding: lines.first ?? Data(), as: UTF8.self)
    let words = header.split(separator: " ")
    let version = words.count >= 2 && words[0] == "navigation" ? Int(words[1]) : nil
    guard version == archiveVersion else {
      let reason = version.map { "its version is \($0), but only version \(archiveVersion) is supported" }
      self.init(
        [],
        losses: [
          RestorationLoss(
            entry: nil, node: nil, reason: reason ?? "it does not begin with 'navigation' and a version")
        ])
      isFromNewerVersion = version.map { $0 > archiveVersion } ?? false
      return
    }
    lines.removeFirst()
    // A last line without a line break was truncated, so decoding it fails, as it should.
    if lines.last?.isEmpty == true { lines.removeLast() }
    let decoder = JSONDecoder()
    self.init(
      lines.enumerated().map { index, line in
        // This check is about 1,000 times as fast as a failure of the decoder.
        guard line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}") else {
          return .failure(RestorationLoss(entry: index, node: nil, reason: "it is not a complete JSON object"))
        }
        return Result { try decoder.decode(NodeRecord<Screen>.self, from: Data(line)).checked(isOwn) }
          .mapError { loss(index, $0) }
      }, nextID: words.count > 2 ? Int(words[2]) : nil)
  }
}

private func loss(_ entry: Int, _ error: any Error) -> RestorationLoss {
  RestorationLoss(entry: entry, node: nil, reason: "it \(reason(of: error))")
}
