/// What is armed on a manual clock, in the order in which it fires.
///
/// A plain value: the clock guards it with a lock and calls the closures outside of that.
struct Agenda {
  /// One thing that waits for a deadline.
  ///
  /// Exactly one of the two closures is called, once, by whoever took the entry out.
  struct Entry {
    let deadline: ManualClock.Instant
    let ticket: Int
    let fire: @Sendable () -> Void
    let callOff: @Sendable () -> Void
  }

  /// Latest deadline first and, within a deadline, last armed first, so that the next to fire is taken off the end.
  private var entries: [Entry] = []
  private var lastTicket = 0

  var count: Int { entries.count }

  var deadlines: [ManualClock.Instant] { entries.reversed().map(\.deadline) }

  mutating func newTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  mutating func insert(_ entry: Entry) {
    // The first place whose entry fires before this one; entries with the same deadline were armed before it.
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
