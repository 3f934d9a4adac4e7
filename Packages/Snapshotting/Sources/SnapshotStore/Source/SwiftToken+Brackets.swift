extension [SwiftToken] {
  func closing(of opening: Int) -> Int? {
    var depth = 0
    for position in opening..<count {
      guard case .sign(let sign) = self[position].kind else { continue }
      if "([{".utf8.contains(sign) { depth += 1 }
      if ")]}".utf8.contains(sign) {
        depth -= 1
        if depth == 0 { return position }
      }
    }
    return nil
  }

  func opening(of closing: Int) -> Int? {
    var depth = 0
    for position in (0...closing).reversed() {
      guard case .sign(let sign) = self[position].kind else { continue }
      if ")]}".utf8.contains(sign) { depth += 1 }
      if "([{".utf8.contains(sign) {
        depth -= 1
        if depth == 0 { return position }
      }
    }
    return nil
  }

  func isSign(_ character: Unicode.Scalar, at position: Int) -> Bool {
    indices.contains(position) && self[position].kind == .sign(UInt8(ascii: character))
  }
}
