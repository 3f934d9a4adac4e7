internal import OrderTaking

/// A write survives the end of the process.
///
/// It survives a power failure after a sync.
struct SimulatedDisk {
  private(set) var records: [TakingRecord<Int>?]
  /// The replaced records of the writes that were not synced, oldest first.
  private var unsynced: [(order: Int, before: TakingRecord<Int>?)] = []
  /// Whether a sync has failed, so that a read must sync first.
  private var isDoubtful = false
  /// A record that is absent now, and that the next process recovers.
  private var ghost: TakingRecord<Int>?

  init(orders: Int) { records = Array(repeating: nil, count: orders) }

  mutating func write(_ record: TakingRecord<Int>, syncs: Bool) {
    ghost = nil
    unsynced.append((record.intent.order, records[record.intent.order]))
    records[record.intent.order] = record
    if syncs { sync() }
  }

  /// Writes a record with a failed sync.
  ///
  /// The record is stored, restored by a recovery, or lost.
  mutating func writeInDoubt(_ record: TakingRecord<Int>, _ variant: Int) {
    switch variant {
    case 0:
      write(record, syncs: false)
      isDoubtful = true
    case 1: ghost = record
    default: break
    }
  }

  mutating func acknowledge(_ record: TakingRecord<Int>) {
    guard var current = records[record.intent.order], current.intent.key == record.intent.key,
      current.checkpoint == record.checkpoint
    else { return }
    current.isDelivered = true
    write(current, syncs: false)
  }

  mutating func read(_ order: Int) -> TakingRecord<Int>? {
    if isDoubtful { sync() }
    return records[order]
  }

  mutating func recover() {
    if let ghost { write(ghost, syncs: true) }
  }

  /// Undoes the writes that were not synced, except for the oldest ones.
  mutating func losePower(keeping count: (Int) -> Int) {
    let kept = count(unsynced.count + 1)
    while unsynced.count > kept, let write = unsynced.popLast() { records[write.order] = write.before }
    sync()
  }

  private mutating func sync() {
    unsynced.removeAll(keepingCapacity: true)
    isDoubtful = false
  }
}
