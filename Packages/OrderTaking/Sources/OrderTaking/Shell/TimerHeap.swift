/// Timers in a binary heap, the earliest first.
struct TimerHeap {
  private var timers: [ScheduledCallback] = []

  var count: Int { timers.count }

  var first: ScheduledCallback? { timers.first }

  mutating func insert(_ timer: ScheduledCallback) {
    timers.append(timer)
    var place = timers.count - 1
    while place > 0, timers[place].deadline < timers[(place - 1) / 2].deadline {
      timers.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() {
    let last = timers.removeLast()
    guard !timers.isEmpty else { return }
    timers[0] = last
    var place = 0
    while true {
      let children = (2 * place + 1..<2 * place + 3).clamped(to: timers.indices)
      guard let least = children.min(by: { timers[$0].deadline < timers[$1].deadline }),
        timers[least].deadline < timers[place].deadline
      else { return }
      timers.swapAt(place, least)
      place = least
    }
  }

  /// Removes timers, in the time of a sort.
  mutating func removeAll(where isRemoved: (ScheduledCallback) -> Bool) {
    timers.removeAll(where: isRemoved)
    // A sorted array is a heap.
    timers.sort { $0.deadline < $1.deadline }
  }
}
