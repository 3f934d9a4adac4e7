#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Deadlines, the earliest first: a 4-ary heap.
///
/// Four entries fit into one cache line of the processor.
struct TimerHeap {
  struct Entry {
    let deadline: UInt64
    let place, use: UInt32
  }

  private var entries: [Entry] = []

  /// The number of entries of cancelled timers.
  var cancelledCount = 0

  var count: Int { entries.count }

  var first: Entry? { entries.first }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    siftUp(entries.count - 1)
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    guard !entries.isEmpty else { return }
    entries[0] = last
    siftDown(0)
  }

  /// Removes the entries of cancelled timers, in time proportional to the number of all entries.
  mutating func removeAll(where isCancelled: (Entry) -> Bool) {
    entries.removeAll(where: isCancelled)
    cancelledCount = 0
    for place in stride(from: (entries.count - 2) / 4, through: 0, by: -1) where place < entries.count {
      siftDown(place)
    }
  }

  private mutating func siftUp(_ start: Int) {
    let entry = entries[start]
    var place = start
    while place > 0 {
      let parent = (place - 1) / 4
      guard entry.deadline < entries[parent].deadline else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
  }

  private mutating func siftDown(_ start: Int) {
    let entry = entries[start]
    var place = start
    while true {
      let child = 4 * place + 1
      guard child < entries.count else { break }
      var best = child
      for candidate in (child + 1)..<max(child + 1, min(child + 4, entries.count))
      where entries[candidate].deadline < entries[best].deadline {
        best = candidate
      }
      guard entries[best].deadline < entry.deadline else { break }
      entries[place] = entries[best]
      place = best
    }
    entries[place] = entry
  }
}

/// The number of processors.
enum ProcessorCount {
  static let active = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
