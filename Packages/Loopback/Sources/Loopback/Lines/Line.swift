/// A line that a client sent, without its end.
public struct Line: Sendable, Hashable, CustomStringConvertible {
  /// The bytes before the line feed, or before the carriage return and line feed.
  public let bytes: [UInt8]
  /// Whether a line feed ended it.
  ///
  /// Only the last line of a connection can lack one, if the client closed its sending side in the middle.
  public let isTerminated: Bool

  /// Makes a line.
  public init(bytes: [UInt8], isTerminated: Bool = true) {
    self.bytes = bytes
    self.isTerminated = isTerminated
  }

  /// The line as text.
  ///
  /// Invalid UTF-8 becomes U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The line as text.
  public var description: String { text }
}
