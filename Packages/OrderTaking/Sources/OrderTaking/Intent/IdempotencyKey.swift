/// A key that identifies the requests of one intent: 128 bits, written as 32 hexadecimal digits.
///
/// It is created before the first PUT, and stays the same in retries and after restarts. A server that has processed a request with
/// this key does not process another one. It responds with the current result of the first one.
///
/// ```swift
/// IdempotencyKey("00000000000000010000000000000002")?.high  // 1
/// ```
public struct IdempotencyKey: Hashable, Sendable, LosslessStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a random key.
  ///
  /// Keys must be unique, so use a generator with a seed only in tests.
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next())
  }

  /// Parses exactly 32 hexadecimal digits; returns `nil` for any other text.
  public init?(_ description: String) {
    guard description.utf8.count == 32, description.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let high = UInt64(description.prefix(16), radix: 16), let low = UInt64(description.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  public var description: String { hexadecimal(high) + hexadecimal(low) }
}

func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
