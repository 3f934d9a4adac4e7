/// The words of some lines: runs of letters and digits, runs of white space, single marks, and the ends of lines.
struct Words {
  private let text: UnsafePointer<UInt8>
  /// The bytes of each word.
  private(set) var ranges: [Range<Int>] = []
  /// The first word of each line, and the number of words at the end.
  private var lineStarts: [Int] = []

  init(_ text: UnsafePointer<UInt8>, _ table: LineTable, _ lines: Range<Int>) {
    self.text = text
    for line in lines {
      lineStarts.append(ranges.count)
      let bytes = table.bytes(of: line)
      split(bytes)
      // The line feed: a word too, so that lines are held together. The last line may have none, and is empty there.
      ranges.append(bytes.upperBound..<bytes.upperBound)
    }
    lineStarts.append(ranges.count)
  }

  private mutating func split(_ bytes: Range<Int>) {
    var start = bytes.lowerBound
    while start < bytes.upperBound {
      let (kind, length) = kind(at: start, bytes.upperBound)
      var end = start + length
      while end < bytes.upperBound {
        let (next, length) = self.kind(at: end, bytes.upperBound)
        guard next == .continuation || next == kind && kind != .mark else { break }
        end += length
      }
      ranges.append(start..<end)
      start = end
    }
  }

  private enum Kind { case space, word, mark, continuation }

  /// What a word that begins here is, and how many bytes its first character takes at least.
  private func kind(at index: Int, _ end: Int) -> (Kind, length: Int) {
    switch text[index] {
    case 0x09, 0x0D, 0x20: return (.space, 1)
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return (.word, 1)
    case 0x00...0x7F: return (.mark, 1)
    default: break
    }
    // A character whose first byte is here has all its bytes in this line.
    let (second, third) = (index + 1 < end ? text[index + 1] : 0, index + 2 < end ? text[index + 2] : 0)
    switch (text[index], second, third) {
    // What belongs to the character before it: combining accents, and what joins or varies characters.
    case (0x80...0xBF, _, _): return (.continuation, 1)
    case (0xCC, _, _), (0xCD, 0x80...0xAF, _): return (.continuation, 2)
    case (0xE2, 0x83, 0x90...0xBF), (0xE2, 0x80, 0x8D), (0xEF, 0xB8, 0x80...0x8F): return (.continuation, 3)
    // Spaces, and what has no width.
    case (0xC2, 0xA0, _): return (.space, 2)
    case (0xE2, 0x80, 0x80...0x8F), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F...0xA0), (0xE3, 0x80, 0x80):
      return (.space, 3)
    case (0xEF, 0xBB, 0xBF): return (.space, 3)
    default: return (.word, 1)
    }
  }

  /// The numbers of the words.
  func numbers(_ interner: inout LineInterner) -> Scratch<UInt32> {
    let numbers = Scratch<UInt32>(uninitialized: ranges.count)
    for (index, range) in ranges.enumerated() {
      numbers[index] = interner.number(of: text + range.lowerBound, count: range.count)
    }
    return numbers
  }

  /// For each line the bytes that differ, as few ranges as possible; none when most of the line differs.
  func changed(_ isChanged: Scratch<Bool>) -> [[Range<Int>]] {
    var lines: [[Range<Int>]] = []
    for line in 0..<(lineStarts.count - 1) {
      let words = lineStarts[line]..<(lineStarts[line + 1] - 1)
      var (common, all) = (0, 0)
      var changed: [Range<Int>] = []
      for word in words {
        let range = ranges[word]
        let isBlank = kind(at: range.lowerBound, range.upperBound).0 == .space
        if !isBlank { all += range.count }
        if isChanged[word] {
          if let last = changed.last, isNothing(between: last.upperBound, range.lowerBound) {
            changed[changed.count - 1] = last.lowerBound..<range.upperBound
          } else {
            changed.append(range)
          }
        } else if !isBlank {
          common += range.count
        }
      }
      lines.append(3 * common >= all ? changed : [])
    }
    return lines
  }

  /// Whether there is at most one space or mark between two words that differ: it says nothing that it is common.
  private func isNothing(between end: Int, _ start: Int) -> Bool {
    start == end || start == end + 1 && kind(at: end, start).0 != .word
  }
}
