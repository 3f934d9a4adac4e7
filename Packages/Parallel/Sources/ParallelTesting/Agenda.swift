/// The clock guards this value with its lock, and calls the closures after it has released the lock.
struct Agenda {
  /// The code that removes the entry calls exactly one of the two closures, once.
  struct Entry {
    let deadline: ManualClock.Instant
    let ticket: Int
    let fire: @Sendable () -> Void
    let cancel: @Sendable () -> Void
  }

  /// Sorted by descending deadline, then by descending order of arming, so that the last entry fires next.
  private var entries: [Entry] = []
  private var lastTicket = 0

  var count: Int { entries.count }

  var deadlines: [ManualClock.Instant] { entries.reversed().map(\.deadline) }

  mutating func newTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  mutating func insert(_ entry: Entry) {
    // Entries with the same deadline were armed earlier.
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].deadline <= entry.deadline { high = middle } else { low = middle + 1 }
    }
    entries.insert(entry, at: low)
  }

  mutating func takeFirst(through limit: ManualClock.Instant?) -> Entry? {
    guard let first = entries.last else { return nil }
    if let limit, first.deadline > limit { return nil }
    return entries.removeLast()
  }

  mutating func remove(_ ticket: Int) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return entries.remove(at: index)
  }
}
