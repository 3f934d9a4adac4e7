internal import Foundation

/// What is wrong with a write-ahead log, as far as it can be seen from its bytes before SQLite opens it.
///
/// SQLite reads a log up to the first frame that is not as it was written, and takes the rest for what an interrupted write
/// has left. So a bit that was flipped in the middle loses every later record without a word; this tells one from the other.
/// A log that is cut off between two frames, or that is gone, looks like one of which less was written: nothing shows that.
///
/// Source: the file format of SQLite, *WAL-index* and *checksum algorithm*.
enum WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// What is wrong with the log at a path, or `nil` when it is as SQLite leaves it, or not there.
  static func damage(at path: String) -> String? {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    return damage(in: [UInt8](bytes))
  }

  static func damage(in bytes: [UInt8]) -> String? {
    guard bytes.count >= headerSize else { return nil }
    let magic = word(bytes, 0)
    let pageSize = Int(word(bytes, 8))
    guard magic & ~1 == 0x377F_0682, word(bytes, 4) == 3_007_000, (512...65_536).contains(pageSize),
      pageSize.nonzeroBitCount == 1
    else { return "the header of its write-ahead log is corrupt" }
    let isBigEndian = magic & 1 == 1
    var sum = Sum()
    sum.add(bytes[0..<24], isBigEndian)
    guard sum == Sum(word(bytes, 24), word(bytes, 28)) else {
      return "the header of its write-ahead log is corrupt"
    }
    let salts = [word(bytes, 16), word(bytes, 20)]
    let size = frameHeaderSize + pageSize
    let frames = (bytes.count - headerSize) / size
    for frame in 0..<frames {
      let start = headerSize + frame * size
      var next = sum
      next.add(bytes[start..<start + 8], isBigEndian)
      next.add(bytes[(start + frameHeaderSize)..<(start + size)], isBigEndian)
      let found = [word(bytes, start + 8), word(bytes, start + 12)]
      sum = next
      if found == salts, next == Sum(word(bytes, start + 16), word(bytes, start + 20)) { continue }
      // Frames of an earlier round lie behind those of this one, under other salts, both of them. One of this round behind
      // one that is wrong, or a wrong one that is whole and the last, was written in full once.
      let later = (frame + 1..<max(frame + 1, frames)).contains { later in
        let place = headerSize + later * size
        return [word(bytes, place + 8), word(bytes, place + 12)] == salts
      }
      let isLast = start + size == bytes.count
      let isOfThisRound = zip(found, salts).contains { $0 == $1 }
      return later || isLast && isOfThisRound
        ? "frame \(frame + 1) of its write-ahead log is corrupt, and later frames cannot be read" : nil
    }
    return nil
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The running checksum of a log.
  private struct Sum: Equatable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    init(_ first: UInt32 = 0, _ second: UInt32 = 0) {
      self.first = first
      self.second = second
    }

    mutating func add(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) {
      bytes.withUnsafeBytes { bytes in
        for place in stride(from: 0, to: bytes.count - 7, by: 8) {
          let left = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
          let right = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
        }
      }
    }
  }
}
