import LoopbackTesting

extension RawClient {
  /// Reads to the end of the connection, and returns the text.
  func rest() async -> (text: String, end: End) {
    let (bytes, end) = await readToEnd()
    return (String(decoding: bytes, as: UTF8.self), end)
  }
}
