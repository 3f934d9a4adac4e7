/// Equal lines get equal numbers, so later comparisons compare numbers.
///
/// It is a hash table with open addressing over the bytes of the texts. No line is copied.
struct LineInterner {
  private(set) var distinct = 0

  /// A slot holds the upper half of a line's hash, and its number below.
  private let slots: Scratch<UInt64>
  private let mask: Int
  private let first: Scratch<Line>

  private struct Line: BitwiseCopyable {
    var start: UnsafePointer<UInt8>
    var count: Int
  }

  private static let none = UInt32.max

  init(capacity: Int) {
    var size = 16
    while size < capacity + capacity / 2 { size *= 2 }
    slots = Scratch(repeating: UInt64(Self.none), count: size)
    first = Scratch(uninitialized: capacity)
    mask = size - 1
  }

  mutating func number(of line: UnsafePointer<UInt8>, count: Int) -> UInt32 {
    let hash = lineHash(line, count: count)
    let tag = hash >> 32
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      let number = UInt32(truncatingIfNeeded: entry)
      if number == Self.none { break }
      if entry >> 32 == tag {
        let known = first[Int(number)]
        if known.count == count, sameBytes(known.start, line, count: count) { return number }
      }
      slot = (slot &+ 1) & mask
    }
    let number = UInt32(truncatingIfNeeded: distinct)
    first[distinct] = Line(start: line, count: count)
    slots[slot] = tag << 32 | UInt64(number)
    distinct &+= 1
    return number
  }
}

struct NumberedLines {
  let numbers: Scratch<UInt32>
  let occurrences: Scratch<UInt32>

  /// Numbers lines of a text.
  ///
  /// - Parameter capacity: The maximum number of lines in the interner, including those of other texts.
  init(_ lines: Range<Int>, of text: LineText, _ interner: inout LineInterner, capacity: Int) {
    numbers = Scratch(uninitialized: lines.count)
    occurrences = Scratch(repeating: 0, count: capacity)
    for line in lines {
      let number = interner.number(of: text.start(line), count: text.length(line))
      numbers[line &- lines.lowerBound] = number
      occurrences[Int(number)] &+= 1
    }
  }
}
