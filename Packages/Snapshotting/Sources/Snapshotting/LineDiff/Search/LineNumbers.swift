/// The numbers of lines: equal lines have equal numbers.
///
/// A hash table with open addressing. A `Dictionary` takes four times as long in the benchmark "line diff: 50000 unique, 1 %
/// changed", longer than GNU diff.
struct LineNumbers {
  private struct Slot {
    /// A part of the hash that does not choose the slot.
    let hash: UInt32
    /// The number of a line; -1 in an empty slot.
    let number: Int32
  }

  private var slots: [Slot]
  private var lines: [TextLine] = []

  var count: Int { lines.count }

  /// Allocates a table for a number of different lines.
  init(capacity: Int) {
    var size = 16
    while size < capacity + capacity / 2 { size *= 2 }
    slots = Array(repeating: Slot(hash: 0, number: -1), count: size)
  }

  /// Returns the number of an equal line, or the next number.
  mutating func add(_ line: TextLine) -> Int {
    let hash = line.hash
    let slot = slot(of: line, hash)
    if slots[slot].number >= 0 { return Int(slots[slot].number) }
    slots[slot] = Slot(hash: UInt32(truncatingIfNeeded: hash >> 32), number: Int32(lines.count))
    lines.append(line)
    return lines.count - 1
  }

  /// Returns the number of an equal line.
  func number(of line: TextLine) -> Int? {
    let number = slots[slot(of: line, line.hash)].number
    return number >= 0 ? Int(number) : nil
  }

  /// Returns the slot of an equal line, or the empty slot for the line.
  private func slot(of line: TextLine, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].number >= 0 {
      let known = slots[slot]
      if known.hash == UInt32(truncatingIfNeeded: hash >> 32), lines[Int(known.number)] == line { break }
      slot = (slot + 1) & mask
    }
    return slot
  }
}
