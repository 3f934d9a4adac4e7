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
    var (end, last) = (bytes.lowerBound, Kind.mark)
    for scalar in scalars(in: bytes) {
      let kind = Kind(scalar)
      let start = end
      end += UTF8.width(scalar)
      if start > bytes.lowerBound, kind == .continuation || kind == last && kind != .mark {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<end
      } else {
        ranges.append(start..<end)
        last = kind
      }
    }
  }

  private func scalars(in bytes: Range<Int>) -> String.UnicodeScalarView {
    String(decoding: UnsafeBufferPointer(start: text + bytes.lowerBound, count: bytes.count), as: UTF8.self)
      .unicodeScalars
  }

  private enum Kind {
    case space, word, mark
    /// An accent, a joiner or a variation selector, which belongs to the character before.
    case continuation

    init(_ scalar: Unicode.Scalar) {
      switch scalar.properties.generalCategory {
      case _ where scalar.properties.isWhitespace: self = .space
      case .format: self = scalar == "\u{200D}" ? .continuation : .space
      case .nonspacingMark, .enclosingMark: self = .continuation
      case _ where scalar == "_" || !scalar.isASCII || scalar.properties.isAlphabetic: self = .word
      case .decimalNumber: self = .word
      default: self = .mark
      }
    }
  }

  /// The kind of the first character.
  private func kind(of bytes: Range<Int>) -> Kind? { scalars(in: bytes).first.map { Kind($0) } }

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
        let isBlank = kind(of: range) == .space
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
    start == end || start == end + 1 && kind(of: end..<start) != .word
  }
}
