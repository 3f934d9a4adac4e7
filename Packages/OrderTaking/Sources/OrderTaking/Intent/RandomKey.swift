#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension IdempotencyKey {
  /// Returns a key from the system's random numbers.
  ///
  /// On Linux this takes a single system call.
  static func random() -> IdempotencyKey {
    #if canImport(Glibc) || canImport(Musl)
      var halves: (UInt64, UInt64) = (0, 0)
      let code = withUnsafeMutableBytes(of: &halves) { getentropy($0.baseAddress, $0.count) }
      if code == 0 { return IdempotencyKey(high: halves.0, low: halves.1) }
    #endif
    var generator = SystemRandomNumberGenerator()
    return IdempotencyKey(using: &generator)
  }
}
