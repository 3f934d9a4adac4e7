import LoopbackTesting

extension RawClient {
  func rest() async -> (text: String, end: End) {
    let (bytes, end) = await readToEnd()
    return (String(decoding: bytes, as: UTF8.self), end)
  }
}
