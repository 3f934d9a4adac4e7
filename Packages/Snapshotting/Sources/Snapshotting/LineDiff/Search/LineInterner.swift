/// Numbers for lines: equal lines get equal numbers, and a line is compared as a number from then on.
///
/// A table with open addressing over the bytes of the texts themselves; no line is copied.
struct LineInterner {
  /// How many different lines there are.
  private(set) var distinct = 0

  /// A slot holds the upper half of a line's hash, and its number below.
  private let slots: Scratch<UInt64>
  private let mask: Int
  private let first: Scratch<Line>

  private struct Line: BitwiseCopyable {
    var start: UnsafePointer<UInt8>
    var count: Int
  }

  /// The number that no line gets: the slot is empty.
  private static let none = UInt32.max

  /// Makes room for so many different lines.
  init(capacity: Int) {
    var size = 16
    while size < capacity + capacity / 2 { size *= 2 }
    slots = Scratch(repeating: UInt64(Self.none), count: size)
    first = Scratch(uninitialized: capacity)
    mask = size - 1
  }

  /// The number of a line: that of its equal, or the next one.
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

/// The numbers of some lines.
struct NumberedLines {
  let numbers: Scratch<UInt32>
  /// How often each number occurs among them.
  let occurrences: Scratch<UInt32>

  /// Numbers the lines of a region.
  ///
  /// The interner has room for `capacity` lines, those of other regions included.
  init(_ region: LineRegion, _ interner: inout LineInterner, capacity: Int) {
    numbers = Scratch(uninitialized: region.count)
    occurrences = Scratch(repeating: 0, count: capacity)
    for line in 0..<region.count {
      let number = interner.number(of: region.start(line), count: region.length(line))
      numbers[line] = number
      occurrences[Int(number)] &+= 1
    }
  }
}

/// Some lines of a text, by their bytes, which have to live as long.
struct LineRegion {
  private let bytes: UnsafePointer<UInt8>
  private let starts: [Int]
  let lines: Range<Int>

  init(bytes: UnsafePointer<UInt8>, table: LineTable, lines: Range<Int>) {
    self.bytes = bytes
    starts = table.starts
    self.lines = lines
  }

  var count: Int { lines.count }

  @inline(__always) func start(_ line: Int) -> UnsafePointer<UInt8> { bytes + starts[lines.lowerBound &+ line] }

  @inline(__always) func length(_ line: Int) -> Int {
    let line = lines.lowerBound &+ line
    return starts[line &+ 1] &- 1 &- starts[line]
  }
}
