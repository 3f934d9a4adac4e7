extension Duration {
  /// The time in nanoseconds, truncated to a whole number, and clamped to its range.
  package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
