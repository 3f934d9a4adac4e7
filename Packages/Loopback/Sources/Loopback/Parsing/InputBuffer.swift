struct InputBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// The end of the bytes that are known to have no line feed.
  private var searched = 0

  var count: Int { bytes.count - start }
  var last: UInt8? { count > 0 ? bytes.last : nil }

  mutating func append(_ more: [UInt8]) {
    bytes.removeFirst(start)
    searched = max(0, searched - start)
    start = 0
    bytes += more
  }

  mutating func take(_ limit: Int) -> ArraySlice<UInt8> {
    let end = start + min(limit, count)
    defer { start = end }
    return bytes[start..<end]
  }

  mutating func line() -> ArraySlice<UInt8>? {
    guard let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    defer { start = end + 1 }
    return bytes[start..<end]
  }

  mutating func line(limit: Int, orThrow rejection: HTTPRejection) throws(HTTPRejection) -> ArraySlice<UInt8>? {
    guard let line = line() else {
      guard count <= limit else { throw rejection }
      return nil
    }
    guard line.count + 1 <= limit else { throw rejection }
    guard line.last == UInt8(ascii: "\r") else { throw .bareLineFeed }
    return line.dropLast()
  }
}
