import LoopbackTesting

extension RawClient {
  /// Everything up to the end of the connection, as text.
  func rest() async -> (text: String, end: End) {
    let (bytes, end) = await readToEnd()
    return (String(decoding: bytes, as: UTF8.self), end)
  }
}
