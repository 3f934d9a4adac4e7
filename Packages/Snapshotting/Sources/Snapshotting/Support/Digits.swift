extension String {
  /// Returns the text with zeros before it, up to a length.
  func leftPadded(to length: Int) -> String { String(repeating: "0", count: max(0, length - count)) + self }
}

/// Returns a scalar in the notation of Unicode: `U+00E9`.
package func codePoint(_ scalar: Unicode.Scalar) -> String {
  "U+" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4)
}
