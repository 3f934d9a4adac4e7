public struct JournalRecovery: Hashable, Sendable, Codable {
  /// The number of records that were valid and are in the new file.
  public let salvaged: Int

  /// The number of lost records, or `nil` if it is unknown, which is `null` in JSON.
  public let lost: Int?

  /// The encoded orders of the lost records that could be read.
  public let lostOrders: [String]

  public let damagedFile: String

  public let damage: String

  static func unreadable(at path: String) -> JournalRecovery {
    JournalRecovery(
      salvaged: 0, lost: nil, lostOrders: [], damagedFile: "\(path).damaged-1", damage: "the report is corrupt")
  }

  func adding(_ earlier: JournalRecovery?) -> JournalRecovery {
    guard let earlier else { return self }
    // A damaged report can have any number.
    let sum = lost.flatMap { lost in earlier.lost.map { $0.addingReportingOverflow(lost) } }
    return JournalRecovery(
      salvaged: salvaged, lost: sum.flatMap { $0.overflow ? nil : $0.partialValue },
      lostOrders: (earlier.lostOrders + lostOrders).sorted(), damagedFile: damagedFile,
      damage: "\(damage); and earlier, \(earlier.damage), see \(earlier.damagedFile)")
  }
}

extension JournalRecovery {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(salvaged, forKey: .salvaged)
    try container.encode(lost, forKey: .lost)
    try container.encode(lostOrders, forKey: .lostOrders)
    try container.encode(damagedFile, forKey: .damagedFile)
    try container.encode(damage, forKey: .damage)
  }
}

extension JournalRecovery: CustomStringConvertible {
  public var description: String {
    let count = lost.map { "\($0) lost" } ?? "an unknown number lost"
    let names = lostOrders.isEmpty ? "" : " (\(lostOrders.joined(separator: ", ")))"
    let nextStep =
      lost == 0
      ? "" : " Take each lost order again. The server returns the earlier result if it already processed the order."
    return "The journal was damaged: \(damage). \(salvaged) records salvaged, \(count)\(names). The damaged file is "
      + "\(damagedFile).\(nextStep)"
  }
}
