/// A part of a link, as offsets of bytes.
struct ByteRange: Sendable {
  var start: Int
  var end: Int
}

/// A link, taken apart where its syntax says; nothing is decoded.
struct LinkParts {
  /// What stands between slashes, without empty ones at the beginning and at the end.
  var segments: [ByteRange] = []
  var query: ByteRange?
  var fragment: ByteRange?
  /// Where the path ends.
  var pathEnd = 0
  /// How long the link is.
  var end = 0
}

/// Takes links apart: one pass over the bytes.
struct LinkScanner {
  /// In lower case.
  let scheme: [UInt8]
  /// In lower case.
  let hosts: [[UInt8]]

  /// - Returns: Why it is no link of these, or `nil` when `parts` are those of one.
  func scan(_ bytes: [UInt8], into parts: inout LinkParts) -> LinkDiagnosis? {
    guard let start = pathStart(of: bytes) else {
      return LinkDiagnosis(kind: .scheme, offset: 0)
    }
    switch start {
    case .path(let offset): return scanPath(bytes, from: offset, into: &parts)
    case .unknownHost(let offset): return LinkDiagnosis(kind: .host, offset: offset)
    }
  }

  private enum Start {
    case path(Int)
    case unknownHost(at: Int)
  }

  private func pathStart(of bytes: [UInt8]) -> Start? {
    if let end = schemeEnd(scheme, in: bytes) {
      let hasAuthority = end + 1 < bytes.count && bytes[end] == slash && bytes[end + 1] == slash
      return .path(hasAuthority ? end + 2 : end)
    }
    guard !hosts.isEmpty, let end = schemeEnd(https, in: bytes) ?? schemeEnd(http, in: bytes),
      end + 1 < bytes.count, bytes[end] == slash, bytes[end + 1] == slash
    else { return nil }
    let port = end == https.count + 1 ? ":443" : ":80"
    for host in hosts where matches(host, bytes, at: end + 2) {
      // A port is the scheme's default, or empty.
      let rest = bytes[(end + 2 + host.count)...].prefix { !isAuthorityEnd($0) }
      if rest.isEmpty || rest.elementsEqual(":".utf8) || rest.elementsEqual(port.utf8) { return .path(rest.endIndex) }
    }
    return .unknownHost(at: end + 2)
  }

  /// Where the rest begins, after a scheme and a colon.
  private func schemeEnd(_ scheme: [UInt8], in bytes: [UInt8]) -> Int? {
    guard scheme.count < bytes.count, bytes[scheme.count] == UInt8(ascii: ":"), matches(scheme, bytes, at: 0) else {
      return nil
    }
    return scheme.count + 1
  }

  private func matches(_ word: [UInt8], _ bytes: [UInt8], at offset: Int) -> Bool {
    guard word.count <= bytes.count - offset else { return false }
    return zip(word, bytes[offset...]).allSatisfy { letter, byte in
      letter == byte || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && letter == byte | 0x20
    }
  }

  private func isAuthorityEnd(_ byte: UInt8) -> Bool { byte == slash || byte == mark || byte == hash }

  private func scanPath(
    _ bytes: [UInt8], from start: Int, into parts: inout LinkParts
  ) -> LinkDiagnosis? {
    var index = start
    if index < bytes.count, bytes[index] == slash { index += 1 }
    var segmentStart = index
    var queryStart = -1
    var fragmentStart = -1
    parts.segments.reserveCapacity(8)
    parts.end = bytes.count
    while index < bytes.count {
      let byte = bytes[index]
      if byte <= 0x20 || byte == 0x7F { return LinkDiagnosis(kind: .malformed, offset: index) }
      if fragmentStart < 0 {
        if byte == hash {
          if queryStart < 0 { endPath(segmentStart, index, &parts) } else { parts.query?.end = index }
          fragmentStart = index + 1
        } else if queryStart < 0 {
          if byte == slash {
            parts.segments.append(ByteRange(start: segmentStart, end: index))
            segmentStart = index + 1
          } else if byte == mark {
            endPath(segmentStart, index, &parts)
            queryStart = index + 1
            parts.query = ByteRange(start: queryStart, end: bytes.count)
          }
        }
      }
      index += 1
    }
    if fragmentStart >= 0 {
      parts.fragment = ByteRange(start: fragmentStart, end: bytes.count)
    } else if queryStart < 0 {
      endPath(segmentStart, bytes.count, &parts)
    }
    return nil
  }

  /// A slash at the end of the path counts for nothing.
  private func endPath(_ start: Int, _ end: Int, _ parts: inout LinkParts) {
    if start < end { parts.segments.append(ByteRange(start: start, end: end)) }
    parts.pathEnd = end
  }
}

private let https = Array("https".utf8)
private let http = Array("http".utf8)
private let slash = UInt8(ascii: "/")
private let mark = UInt8(ascii: "?")
private let hash = UInt8(ascii: "#")
