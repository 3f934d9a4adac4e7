/// Received bytes that were not used yet.
struct InputBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// The end of the bytes that are known to have no line feed.
  private var searched = 0

  var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    bytes.removeFirst(start)
    searched = max(0, searched - start)
    start = 0
    bytes += more
  }

  /// Removes at most this number of bytes.
  mutating func take(_ limit: Int) -> ArraySlice<UInt8> {
    let end = start + min(limit, count)
    defer { start = end }
    return bytes[start..<end]
  }

  /// Removes a complete line, and returns it without its line feed.
  mutating func line() -> ArraySlice<UInt8>? {
    guard let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    defer { start = end + 1 }
    return bytes[start..<end]
  }
}
