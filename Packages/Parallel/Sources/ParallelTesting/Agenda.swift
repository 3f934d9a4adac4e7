/// The time of a manual clock and everything that waits for a later time.
///
/// The clock guards this value with its lock, and calls the closures after it has released the lock.
struct Agenda {
  /// A sleep or a scheduled callback.
  ///
  /// The code that removes the entry calls one of the two closures, once.
  struct Entry {
    let deadline: ManualClock.Instant
    let ticket: Int
    let fire: @Sendable () -> Void
    let cancel: @Sendable () -> Void
  }

  /// A task that waits for a number of armed entries.
  struct Watcher {
    let ticket: Int
    let isSatisfied: (_ armedCount: Int) -> Bool
    let resume: (Result<[ManualClock.Instant], CancellationError>) -> Void
  }

  var time: ManualClock.Instant

  /// Sorted by descending deadline, then by descending order of arming, so that the last entry fires next.
  private(set) var entries: [Entry] = []
  private var watchers: [Watcher] = []
  /// The number of entries that are firing.
  ///
  /// The clock is not idle while an entry fires, because that entry can arm others.
  private var firingCount = 0
  private var lastTicket = 0

  init(time: ManualClock.Instant) {
    self.time = time
  }

  var deadlines: [ManualClock.Instant] { entries.reversed().map(\.deadline) }

  mutating func newTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  mutating func insert(_ entry: Entry) {
    // Entries with the same deadline were armed earlier.
    let place = entries.firstIndex { $0.deadline <= entry.deadline } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  mutating func watch(_ watcher: Watcher) {
    watchers.append(watcher)
  }

  /// Sets the time to the deadline of the first entry, and removes that entry.
  ///
  /// Call ``endFiring()`` after it has fired.
  mutating func beginFiring(through limit: ManualClock.Instant) -> Entry? {
    guard let first = entries.last, first.deadline <= limit else { return nil }
    time = max(time, first.deadline)
    firingCount += 1
    return entries.removeLast()
  }

  mutating func endFiring() {
    firingCount -= 1
  }

  /// Removes an entry or a watcher, and returns the function that cancels it.
  mutating func remove(_ ticket: Int) -> (() -> Void)? {
    if let index = entries.firstIndex(where: { $0.ticket == ticket }) { return entries.remove(at: index).cancel }
    guard let index = watchers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    let watcher = watchers.remove(at: index)
    return { watcher.resume(.failure(CancellationError())) }
  }

  mutating func takeSatisfiedWatchers() -> [Watcher] {
    let count = entries.isEmpty && firingCount > 0 ? nil : entries.count
    guard let count, watchers.contains(where: { $0.isSatisfied(count) }) else { return [] }
    defer { watchers.removeAll { $0.isSatisfied(count) } }
    return watchers.filter { $0.isSatisfied(count) }
  }
}
