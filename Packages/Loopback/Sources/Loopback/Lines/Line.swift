public struct Line: Sendable, Hashable, CustomStringConvertible {
  /// The bytes before the line feed, or before the carriage return and line feed.
  public let bytes: [UInt8]

  /// Invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public var description: String { text }
}
