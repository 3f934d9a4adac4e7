/// The result of the recovery of a damaged journal.
public struct JournalRecovery: Hashable, Sendable {
  /// The number of records that were valid and are in the new file.
  public let salvaged: Int

  /// The number of lost records, or `nil` if it is unknown.
  public let lost: Int?

  /// The encoded orders of the lost records, as far as they could be read.
  public let lostOrders: [String]

  /// The path of the damaged file.
  public let damagedFile: String

  /// The damage.
  public let damage: String

  static func interrupted(salvaged: Int, damagedFile: String) -> JournalRecovery {
    JournalRecovery(
      salvaged: salvaged, lost: nil, lostOrders: [], damagedFile: damagedFile,
      damage: "an earlier process ended while it salvaged the journal")
  }
}

extension JournalRecovery: CustomStringConvertible {
  /// The result and the next step.
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
