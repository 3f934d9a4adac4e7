/// The words of lines: runs of letters and digits, runs of white space, single marks, and line endings.
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
      // LF is a word too, which keeps lines together. On the last line it can be empty.
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

  /// Returns the kind of the word that begins here, and the minimum length of its first character.
  private func kind(at index: Int, _ end: Int) -> (Kind, length: Int) {
    switch text[index] {
    case 0x09, 0x0D, 0x20: return (.space, 1)
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return (.word, 1)
    case 0x00...0x7F: return (.mark, 1)
    default: break
    }
    // The line contains all bytes of a character that begins in it.
    let (second, third) = (index + 1 < end ? text[index + 1] : 0, index + 2 < end ? text[index + 2] : 0)
    switch (text[index], second, third) {
    // Combining accents, joiners and variation selectors belong to the character before.
    case (0x80...0xBF, _, _): return (.continuation, 1)
    case (0xCC, _, _), (0xCD, 0x80...0xAF, _): return (.continuation, 2)
    case (0xE2, 0x83, 0x90...0xBF), (0xE2, 0x80, 0x8D), (0xEF, 0xB8, 0x80...0x8F): return (.continuation, 3)
    // Spaces and characters without width.
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

  /// Returns the changed bytes of each line in as few ranges as possible; none if most of the line differs.
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

  /// Whether at most one space or mark is between two changed words.
  ///
  /// It is then marked with them.
  private func isNothing(between end: Int, _ start: Int) -> Bool {
    start == end || start == end + 1 && kind(at: end, start).0 != .word
  }
}
