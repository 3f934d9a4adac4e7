/// The bytes of a bracketed paste, up to its end marker.
struct PasteBuffer {
  private(set) var isFinished = false
  private var bytes: [UInt8] = []
  private static let end = Array("\u{1B}[201~".utf8)

  /// Appends a byte; returns the text when the paste is complete or has reached its limit.
  mutating func take(_ byte: UInt8) -> String? {
    bytes.append(byte)
    if byte == Self.end.last, bytes.suffix(Self.end.count).elementsEqual(Self.end) {
      isFinished = true
      bytes.removeLast(Self.end.count)
      return String(decoding: bytes, as: UTF8.self)
    }
    return bytes.count >= KeyParser.maximumPasteLength ? takeSettled() : nil
  }

  /// Removes and returns all the text so far, including a possible start of the end marker, or `nil` when it is empty.
  mutating func takeAll() -> String? {
    guard !bytes.isEmpty else { return nil }
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Removes and returns the text so far, without an incomplete character or end marker at its end.
  mutating func takeSettled() -> String {
    let marker = (1..<Self.end.count).last { bytes.suffix($0).elementsEqual(Self.end.prefix($0)) } ?? 0
    var settled = bytes.count - marker
    if marker == 0 {
      // A first byte of a character among the last three bytes can start an incomplete character.
      let start = bytes.suffix(3).lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
      if start < bytes.count, bytes[start] >= 0xC0 { settled = start }
    }
    defer { bytes.removeFirst(settled) }
    return String(decoding: bytes[..<settled], as: UTF8.self)
  }
}
