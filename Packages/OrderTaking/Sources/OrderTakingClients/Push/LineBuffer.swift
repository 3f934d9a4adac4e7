/// Makes lines out of bytes, however those are cut up, and never keeps more than one line that is not whole.
struct LineBuffer {
  /// A line passed the limit.
  struct Overflow: Error, Equatable {}

  let limit: Int
  private var partial: [UInt8] = []

  init(limit: Int) { self.limit = max(0, limit) }

  /// The lines that the bytes complete, without their ends.
  ///
  /// - Throws: ``Overflow`` when a line is longer than the limit; those before it are lost with the connection.
  mutating func append(_ bytes: [UInt8]) throws(Overflow) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      guard partial.count + (end - rest.startIndex) <= limit else { throw Overflow() }
      lines.append(partial + rest[..<end])
      partial.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    guard partial.count + rest.count <= limit else { throw Overflow() }
    partial += rest
    return lines
  }
}
