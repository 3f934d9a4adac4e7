/// Deadlines in a binary heap, the earliest first.
struct TimerHeap {
  struct Entry {
    let deadline, ticket: UInt64

    fileprivate static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.ticket) < (right.deadline, right.ticket)
    }
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  var first: Entry? { entries.first }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
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
      guard let least = children.min(by: { entries[$0] < entries[$1] }), entries[least] < entries[place] else { return }
      entries.swapAt(place, least)
      place = least
    }
  }

  /// Removes entries, in the time of a sort.
  mutating func removeAll(where isRemoved: (Entry) -> Bool) {
    entries.removeAll(where: isRemoved)
    // A sorted array is a heap.
    entries.sort { $0 < $1 }
  }
}
