extension String {
  func leftPadded(to length: Int) -> String { String(repeating: "0", count: max(0, length - count)) + self }
}

package func codePoint(_ scalar: Unicode.Scalar) -> String {
  "U+" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4)
}
