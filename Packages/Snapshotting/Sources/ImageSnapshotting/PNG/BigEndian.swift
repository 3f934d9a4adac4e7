extension Collection where Element == UInt8 {
  /// The number that begins at an offset, with its most significant byte first.
  ///
  /// Bytes beyond the end are left out.
  func bigEndian(at offset: Int = 0, count: Int = 4) -> UInt32 {
    dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
