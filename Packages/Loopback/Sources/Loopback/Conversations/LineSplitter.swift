/// Makes lines out of bytes, however those are cut up.
struct LineSplitter {
  /// What bytes amount to.
  enum Piece: Equatable {
    case line(Line)
    /// A line passed the limit; what follows is not looked at.
    case tooLong
  }

  private let limit: Int
  private var partial: [UInt8] = []
  private var hasOverflowed = false

  init(limit: Int) { self.limit = max(0, limit) }

  /// Whether a line has begun and not ended.
  var hasPartialLine: Bool { !partial.isEmpty }

  /// Takes bytes and gives the lines that they complete.
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
    // A return at the end may belong to the line's end.
    let count = partial.last == UInt8(ascii: "\r") ? partial.count - 1 : partial.count
    return count > limit ? pieces + [overflow()] : pieces
  }

  /// What came after the last line's end, once there will be no more.
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
