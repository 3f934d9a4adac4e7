/// The SHA-256 of a request's body.
///
/// The server compares it when it receives the same key again.
///
/// ```swift
/// RequestFingerprint(of: Array("abc".utf8)).description.prefix(8)  // ba7816bf
/// ```
public struct RequestFingerprint: Hashable, Sendable, LosslessStringConvertible {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Hashes a body, in time proportional to its length.
  public init(of body: [UInt8]) {
    let digest = sha256(body)
    func word(_ index: Int) -> UInt64 { UInt64(digest[2 * index]) << 32 | UInt64(digest[2 * index + 1]) }
    words = (word(0), word(1), word(2), word(3))
  }

  /// Parses a hash.
  ///
  /// - Parameter description: Exactly 64 hexadecimal digits. For any other text the result is `nil`.
  public init?(_ description: String) {
    guard description.utf8.count == 64, let left = IdempotencyKey(String(description.prefix(32))),
      let right = IdempotencyKey(String(description.suffix(32)))
    else { return nil }
    words = (left.high, left.low, right.high, right.low)
  }

  /// The 64 digits, in lower case.
  public var description: String {
    hexadecimal(words.0) + hexadecimal(words.1) + hexadecimal(words.2) + hexadecimal(words.3)
  }

  /// Returns whether two hashes are the same, in constant time.
  ///
  /// The time does not depend on the number of equal digits, because hashes of tokens are compared too.
  public static func == (left: RequestFingerprint, right: RequestFingerprint) -> Bool {
    let (left, right) = (left.words, right.words)
    return (left.0 ^ right.0) | (left.1 ^ right.1) | (left.2 ^ right.2) | (left.3 ^ right.3) == 0
  }

  /// Adds the hash to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
