public import OrderTaking
public import Testing

/// A rule that every ``OrderTaking/JournalStorage`` keeps.
///
/// ```swift
/// @Test("an SQLite file", arguments: StorageRule.all) func rule(_ rule: StorageRule) async throws {
///   let path = folder.file("takings.sqlite")
///   try await rule.check { try SQLiteJournal(at: path, server: "s").storage }
/// }
/// ```
///
/// Each check needs an empty storage with the standard retention, and uses the real wall clock.
public struct StorageRule: Sendable, CustomTestStringConvertible {
  /// Opens the storage; after its end, opens the same records again.
  public typealias Opening = @Sendable () async throws -> JournalStorage

  public let title: String
  /// Whether the check opens the storage again.
  public let opensAgain: Bool
  public let check: @Sendable (_ open: @escaping Opening) async throws -> Void

  init(_ title: String, opensAgain: Bool = false, _ check: @escaping @Sendable (@escaping Opening) async throws -> Void)
  {
    (self.title, self.opensAgain, self.check) = (title, opensAgain, check)
  }

  public var testDescription: String { title }

  public static let all: [StorageRule] = [
    StorageRule("a record of each kind is read as it was written", returnsEachRecord),
    StorageRule("a write replaces the record of its order", replaces),
    StorageRule("a read sees every write that was called before it", readsEarlierWrites),
    StorageRule("drivers and orders are different if their bytes are", comparesBytes),
    StorageRule("unfinished and undelivered records are due, the oldest first", listsDueRecords),
    StorageRule("due records have a limit, and leave out the orders under way", limits),
    StorageRule("a delivered unknown outcome is due again after its back-off", backsOff),
    StorageRule("the drivers with due records are listed once, sorted", listsDueDrivers),
    StorageRule("an acknowledgement delivers only the record that it names", acknowledges),
    StorageRule("retention never removes an unfinished, undelivered or unknown record", retains),
    StorageRule("a list filters by state, driver and order", filters),
    StorageRule("the pages of a list contain each record once, sorted by driver and order", pages),
    StorageRule("a summary counts states and due records, and names the longest delay", summarizes),
    StorageRule("only an unknown outcome can be discarded, and is then due no more", discards),
    StorageRule("a released order is due again", releases),
    StorageRule("of two takers of a process, one works on an order, and the other one changes nothing", claims),
    StorageRule("an order that was finished after it was listed is not delivered again", deliversOnce),
    StorageRule("an order whose result a caller has received can be changed at once", followsResult),
    StorageRule("a released taker leaves its unacknowledged outcomes to the next one", releasesWithTaker),
    StorageRule("a request to cancel an order under way reaches the subscribers", cancels),
    StorageRule("a request to cancel an order that nobody works on ends its operation", cancelsLater),
    StorageRule("every call fails after the storage is closed", failsWhenClosed),
    StorageRule("a storage that is opened again has all records", opensAgain: true, reopens),
  ]
}
