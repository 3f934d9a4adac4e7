/// A splitter of bytes into lines, for bytes in pieces of any size.
struct LineSplitter {
  /// The result of the bytes so far.
  enum Piece: Equatable {
    case line(Line)
    /// A line exceeded the limit. Later bytes are ignored.
    case tooLong
  }

  private let limit: Int
  private var partial: [UInt8] = []
  private var hasOverflowed = false

  init(limit: Int) { self.limit = max(0, limit) }

  /// Whether a line has begun and not ended.
  var hasPartialLine: Bool { !partial.isEmpty }

  /// Adds bytes, and returns the lines that they complete.
  mutating func append(_ bytes: [UInt8]) -> [Piece] {
    guard !hasOverflowed else { return [] }
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      partial += rest[..<end]
      rest = rest[(end + 1)...]
      if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
      guard partial.count <= limit else { return pieces + [overflow()] }
      pieces.append(.line(Line(bytes: partial, isTerminated: true)))
      partial.removeAll(keepingCapacity: true)
    }
    partial += rest
    // A carriage return at the end can belong to the line's end.
    let count = partial.last == UInt8(ascii: "\r") ? partial.count - 1 : partial.count
    return count > limit ? pieces + [overflow()] : pieces
  }

  /// Returns the bytes after the end of the last line, at the end of the connection.
  mutating func finish() -> [Piece] {
    defer { partial = [] }
    guard !partial.isEmpty else { return [] }
    return partial.count > limit ? [overflow()] : [.line(Line(bytes: partial, isTerminated: false))]
  }

  private mutating func overflow() -> Piece {
    hasOverflowed = true
    partial = []
    return .tooLong
  }
}
