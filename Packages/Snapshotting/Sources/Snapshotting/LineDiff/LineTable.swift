internal import Foundation

/// The lines of a text, by their bytes.
///
/// Lines are separated by LF, so a text that ends in LF has an empty last line, and the empty text has one line.
struct LineTable: Sendable {
  let bytes: [UInt8]
  /// The start of each line, and at the end the length of the text plus one.
  private let starts: [Int]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var starts = [0]
    starts.reserveCapacity(bytes.count / 32 + 2)
    bytes.withUnsafeBytes { text in
      var position = 0
      while let start = text.baseAddress, position < text.count,
        let lineFeed = memchr(start + position, 0x0A, text.count - position)
      {
        position = UnsafeRawPointer(lineFeed) - start + 1
        starts.append(position)
      }
    }
    starts.append(bytes.count + 1)
    self.bytes = bytes
    self.starts = starts
  }

  var count: Int { starts.count - 1 }

  /// Returns a line without its LF.
  subscript(line: Int) -> TextLine { TextLine(bytes: bytes[starts[line]..<(starts[line + 1] - 1)]) }
}

/// The bytes of a line.
struct TextLine: Equatable {
  let bytes: ArraySlice<UInt8>

  var text: Substring { Substring(decoding: bytes, as: UTF8.self) }

  /// The number of blanks at its start.
  ///
  /// An empty line has the greatest number below `.max`, with which the search for the least indentation begins.
  var indentation: Int {
    let blanks = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return blanks.count == bytes.count || bytes[blanks.endIndex] == UInt8(ascii: "\r") ? .max - 1 : blanks.count
  }

  /// A hash that takes eight bytes at a time.
  var hash: UInt64 {
    bytes.withUnsafeBytes { bytes in
      let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
      var hash = UInt64(bytes.count)
      var position = 0
      while position + 8 <= bytes.count {
        hash = (hash ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) &* factor
        hash ^= hash >> 32
        position += 8
      }
      while position < bytes.count {
        hash = (hash ^ UInt64(bytes[position])) &* factor
        hash ^= hash >> 32
        position += 1
      }
      return hash
    }
  }

  /// The function of arrays compares byte by byte.
  static func == (left: Self, right: Self) -> Bool {
    guard left.bytes.count == right.bytes.count else { return false }
    return left.bytes.withUnsafeBytes { left in
      right.bytes.withUnsafeBytes { right in
        guard let start = left.baseAddress, let other = right.baseAddress else { return true }
        return memcmp(start, other, left.count) == 0
      }
    }
  }
}
