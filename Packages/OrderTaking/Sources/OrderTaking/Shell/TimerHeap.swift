/// Timers in a binary heap, the earliest first.
struct TimerHeap {
  struct Entry {
    /// The time of Dispatch's clock in nanoseconds.
    let deadline: UInt64
    let timer: ScheduledCallback
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  var first: Entry? { entries.first }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place].deadline < entries[(place - 1) / 2].deadline {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    guard !entries.isEmpty else { return }
    entries[0] = last
    var place = 0
    while true {
      let children = (2 * place + 1..<2 * place + 3).clamped(to: entries.indices)
      guard let least = children.min(by: { entries[$0].deadline < entries[$1].deadline }),
        entries[least].deadline < entries[place].deadline
      else { return }
      entries.swapAt(place, least)
      place = least
    }
  }

  /// Removes timers, in the time of a sort.
  mutating func removeAll(where isRemoved: (ScheduledCallback) -> Bool) {
    entries.removeAll { isRemoved($0.timer) }
    // A sorted array is a heap.
    entries.sort { $0.deadline < $1.deadline }
  }
}
