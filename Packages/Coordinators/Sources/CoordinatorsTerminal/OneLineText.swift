internal import Terminal

extension String {
  var onOneLine: String {
    guard utf8.contains(where: { (0x09...0x0D).contains($0) || $0 >= 0x80 }), contains(where: \.isBreak) else {
      return self
    }
    return String(map { $0.isBreak ? " " : $0 })
  }
}

extension Character {
  fileprivate var isBreak: Bool { isNewline || self == "\t" }
}
