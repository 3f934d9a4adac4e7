internal import Foundation

/// The frames of a write-ahead log, each with the content of one page.
///
/// SQLite reads the log up to the last commit before the first invalid frame. After a power failure, sectors written
/// since the last sync can be missing, so invalid frames are normal there. A frame that was synced is damaged if it is
/// invalid, and all later commits would be lost silently. Only a later write proves the sync. So each transaction that
/// is synced increases a number on the first page, the sync count. See ``damage(syncCount:)``.
///
/// The loss of the last transactions cannot be detected if the log was deleted or cut off.
///
/// Source: the file format of SQLite, *The WAL file format* and *checksum algorithm*.
struct WriteAheadLog {
  struct Frame {
    let page: Int
    let isCommit: Bool
    let content: Range<Int>
    /// Whether it was written since the log was restarted.
    let isOfLog: Bool
    /// Whether it belongs to this log, and its checksum continues the checksum of the frame before it, valid or not.
    let isValid: Bool
  }

  let bytes: [UInt8]
  private(set) var frames: [Frame] = []
  private let isHeaderValid: Bool
  private var isHeaderMissing: Bool { bytes.prefix(Self.headerSize).allSatisfy { $0 == 0 } }

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  init?(at path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)), data.count >= Self.headerSize else {
      return nil
    }
    self.init([UInt8](data))
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let isBigEndian = bytes[3] & 1 == 1
    var sum = Sum()
    sum.add(bytes[0..<24], isBigEndian)
    isHeaderValid =
      bytes.word(0) & ~1 == 0x377F_0682 && bytes.word(4) == 3_007_000 && bytes.word(8) == UInt32(Page.size)
      && sum == Sum(bytes, 24)
    let size = Self.frameHeaderSize + Page.size
    let starts = stride(from: Self.headerSize, through: bytes.count - size, by: size)
    // Without a header, the first frame has the salts, which are different after each restart of the log.
    let salts = isHeaderValid ? bytes[16..<24] : bytes[min(40, bytes.count)..<min(48, bytes.count)]
    for start in starts {
      let content = start + Self.frameHeaderSize..<start + size
      sum.add(bytes[start..<start + 8], isBigEndian)
      sum.add(bytes[content], isBigEndian)
      let stored = Sum(bytes, start + 16)
      let isOfLog = bytes[start + 8..<start + 16].elementsEqual(salts)
      let frame = Frame(
        page: Int(bytes.word(start)), isCommit: bytes.word(start + 4) != 0, content: content, isOfLog: isOfLog,
        isValid: isOfLog && sum == stored)
      frames.append(frame)
      sum = stored
    }
  }

  /// Returns the damage of the log, or `nil` if SQLite or a power failure can have left it in this way.
  func damage(syncCount count: UInt32) -> String? {
    guard isHeaderValid || isHeaderMissing else { return "the header of its write-ahead log is corrupt" }
    let readable = isHeaderValid ? frames.prefix(while: \.isValid).lastIndex(where: \.isCommit).map { $0 + 1 } ?? 0 : 0
    guard let invalid = frames[readable...].firstIndex(where: { !$0.isValid }) else { return nil }
    let known = frames[..<readable].last { $0.page == 1 }.map(syncCount) ?? count
    // A later sync is proven if the tables' file has a later count, if two later syncs have begun, or if one has ended
    // and a write followed. Only a valid frame proves a write. An invalid one still counts as the beginning or the end of a
    // transaction, because a flipped bit leaves most of its bytes as they were.
    var isProven = ahead(count, of: known) > 0
    var (hasBegun, hasEnded) = (false, false)
    for frame in frames[readable...] where frame.isOfLog {
      let lead = frame.page == 1 ? ahead(syncCount(frame), of: known) : 0
      if frame.isValid { isProven = isProven || hasEnded || lead > 1 }
      hasBegun = hasBegun || lead > 0
      hasEnded = hasEnded || hasBegun && frame.isCommit
    }
    return isProven ? "frame \(invalid + 1) of its write-ahead log is corrupt" : nil
  }

  var hasCommit: Bool { isHeaderValid && !readableFrames.isEmpty }

  /// The frames of complete transactions.
  ///
  /// In a damaged log, all valid frames.
  var readableFrames: ArraySlice<Frame> {
    frames[..<(frames.lastIndex { $0.isValid && $0.isCommit }.map { $0 + 1 } ?? 0)]
  }

  private func syncCount(_ frame: Frame) -> UInt32 { bytes.word(frame.content.lowerBound + Page.syncCount) }

  /// Returns how much a count is greater than another one.
  ///
  /// It may have overflowed.
  private func ahead(_ count: UInt32, of other: UInt32) -> Int32 { Int32(bitPattern: count &- other) }

  private struct Sum: Equatable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    init() {}

    init(_ bytes: [UInt8], _ place: Int) { (first, second) = (bytes.word(place), bytes.word(place + 4)) }

    mutating func add(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) {
      bytes.withUnsafeBytes { bytes in
        // A range of numbers, because a stride makes this loop several times slower in debug builds.
        for word in 0..<bytes.count / 8 {
          let place = word * 8
          let left = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
          let right = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
        }
      }
    }
  }
}
