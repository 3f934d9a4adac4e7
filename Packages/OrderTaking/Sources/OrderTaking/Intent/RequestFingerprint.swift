/// The SHA-256 of a request's body.
///
/// The server compares it when it receives the same key again.
///
/// ```swift
/// RequestFingerprint(of: Array("abc".utf8)).description.prefix(8)  // ba7816bf
/// ```
public struct RequestFingerprint: Hashable, Sendable, LosslessStringConvertible {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  public init(of body: [UInt8]) {
    let digest = sha256(body)
    func word(_ index: Int) -> UInt64 { UInt64(digest[2 * index]) << 32 | UInt64(digest[2 * index + 1]) }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Parses exactly 64 hexadecimal digits; returns `nil` for any other text.
  public init?(_ description: String) {
    guard description.utf8.count == 64, let left = IdempotencyKey(String(description.prefix(32))),
      let right = IdempotencyKey(String(description.suffix(32)))
    else { return nil }
    words = (left.high, left.low, right.high, right.low)
  }

  public var description: String {
    hexadecimal(words.0) + hexadecimal(words.1) + hexadecimal(words.2) + hexadecimal(words.3)
  }

  /// Compares in constant time, because hashes of tokens are compared too.
  public static func == (left: RequestFingerprint, right: RequestFingerprint) -> Bool {
    let (left, right) = (left.words, right.words)
    return (left.0 ^ right.0) | (left.1 ^ right.1) | (left.2 ^ right.2) | (left.3 ^ right.3) == 0
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
