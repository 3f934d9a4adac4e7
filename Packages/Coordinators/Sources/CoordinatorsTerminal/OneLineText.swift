internal import Terminal

extension String {
  /// This text with a space for each line break, for places with a single line.
  var onOneLine: String {
    guard utf8.contains(where: { (0x0A...0x0D).contains($0) || $0 >= 0x80 }), contains(where: \.isNewline) else {
      return self
    }
    return String(map { $0.isNewline ? " " : $0 })
  }
}
