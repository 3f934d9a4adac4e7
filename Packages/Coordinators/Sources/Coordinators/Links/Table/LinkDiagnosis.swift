/// How far a link got, or all of them, and what would have been right there.
struct LinkDiagnosis: Hashable, Sendable {
  var kind: LinkError.Kind
  var offset: Int
  var expected: [String] = []

  /// Keeps the one that got furthest, and what others expected that got as far.
  mutating func take(_ other: LinkDiagnosis) {
    if other.offset < offset { return }
    if other.offset > offset {
      self = other
      return
    }
    if other.kind == .malformed, kind != .malformed {
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

extension LinkLayout {
  /// How far this link gets on a text that it does not fit.
  ///
  /// - Parameter read: Reads the values, each after the other, and tells whether all are there.
  func diagnose(
    _ bytes: [UInt8], _ parts: LinkParts, _ reader: inout LinkReader,
    read: (inout LinkReader) -> Bool
  ) -> LinkDiagnosis {
    let path = pathDiagnosis(bytes, parts)
    reader.begin(slots, before: path?.offset ?? .max)
    if !read(&reader), reader.failureOffset >= 0, path.map({ reader.failureOffset < $0.offset }) ?? true {
      let expectation =
        reader.kind == .malformed ? reader.wellFormed : requirements[reader.failedValue].expectation
      return LinkDiagnosis(kind: reader.kind, offset: reader.failureOffset, expected: [expectation])
    }
    if let path { return path }
    reader.begin(slots)
    let missing = missingFixedPart(&reader)
    return LinkDiagnosis(kind: reader.kind, offset: reader.failureOffset, expected: missing.map { [$0] } ?? [])
  }

  /// How far this link can get at most: to where its path is another, or anywhere.
  func reach(_ bytes: [UInt8], _ parts: LinkParts) -> Int {
    pathDiagnosis(bytes, parts)?.offset ?? .max
  }

  /// Where the path is another, or shorter or longer, whatever its values are.
  private func pathDiagnosis(_ bytes: [UInt8], _ parts: LinkParts) -> LinkDiagnosis? {
    var value = 0
    for (index, part) in template.path.enumerated() {
      let segment = index < parts.segments.count ? parts.segments[index] : nil
      var expectation: String
      switch part {
      case .literal(let text):
        if let segment, segment.isText(text, in: bytes) { continue }
        expectation = "'\(text)'"
      case .placeholder:
        let requirement = requirements[value]
        value += 1
        if segment != nil || requirement.count != .one { continue }
        expectation = requirement.expectation
      }
      return LinkDiagnosis(kind: .mismatch, offset: segment?.start ?? parts.pathEnd, expected: [expectation])
    }
    let hasRest = if case .rest? = slots.last(where: \.isPath) { true } else { false }
    guard parts.segments.count > template.path.count, !hasRest else { return nil }
    return LinkDiagnosis(
      kind: .mismatch, offset: parts.segments[template.path.count].start, expected: ["the end of the path"])
  }
}

extension LinkSlot {
  fileprivate var isPath: Bool {
    switch self {
    case .segment, .rest: true
    case .item, .fragment: false
    }
  }
}

extension ByteRange {
  /// Whether the bytes there are a text, once they are decoded.
  fileprivate func isText(_ text: String, in bytes: [UInt8]) -> Bool {
    let count = text.utf8.count
    guard (count...(count * 3)).contains(end - start) else { return false }
    var malformed = 0
    let decoded = percentDecoded(bytes, self, plusIsSpace: false, malformedAt: &malformed)
    return decoded?.elementsEqual(text.utf8) ?? false
  }
}
