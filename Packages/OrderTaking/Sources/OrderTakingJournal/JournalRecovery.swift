/// What could be read of a damaged journal, and what could not.
public struct JournalRecovery: Hashable, Sendable {
  /// How many records were read, found right, and are in the new file.
  public let salvaged: Int

  /// How many records are lost; `nil` when the damage hides how many there were.
  public let lost: Int?

  /// The orders, as they were written, of the lost records whose name could still be read.
  public let lostOrders: [String]

  /// Where the damaged file was put.
  public let damagedFile: String

  /// What was wrong with it.
  public let damage: String

  static func interrupted(salvaged: Int, damagedFile: String) -> JournalRecovery {
    JournalRecovery(
      salvaged: salvaged, lost: nil, lostOrders: [], damagedFile: damagedFile,
      damage: "an earlier process ended while it salvaged the journal")
  }
}

extension JournalRecovery: CustomStringConvertible {
  /// What happened, and what to do.
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
