struct LinkDiagnosis: Error, Hashable, Sendable {
  var kind: LinkError.Kind
  var offset: Int
  var expected: [String] = []

  static func mismatch(at offset: Int, _ expected: String) -> LinkDiagnosis {
    LinkDiagnosis(kind: .mismatch, offset: offset, expected: [expected])
  }

  static func malformed(at offset: Int, _ expected: String) -> LinkDiagnosis {
    LinkDiagnosis(kind: .malformed, offset: offset, expected: [expected])
  }

  /// Merges two diagnoses: the later difference is kept; at the same place, the expectations are combined.
  mutating func merge(_ other: LinkDiagnosis) {
    if other.offset < offset { return }
    if other.offset > offset || (other.kind == .malformed && kind != .malformed) {
      self = other
      return
    }
    guard other.kind == kind else { return }
    let last = "the end of the path"
    let hasLast = expected.last == last || other.expected.contains(last)
    expected.removeAll { $0 == last }
    for word in other.expected where word != last && !expected.contains(word) { expected.append(word) }
    if hasLast { expected.append(last) }
  }
}
