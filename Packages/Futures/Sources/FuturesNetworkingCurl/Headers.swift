internal import Foundation

/// Reads the header of a response, line by line.
struct HeaderParser {
  enum Problem: Error, Equatable {
    case tooLarge
    case invalid(String)
  }

  static let byteLimit = 64 << 10

  private(set) var status = 0
  /// The values of fields with the same name are joined with a comma.
  private(set) var fields: [String: String] = [:]
  private(set) var location: String?
  private(set) var coding: String?
  private(set) var length: Int?
  /// Whether the header of the final response is complete.
  private(set) var isComplete = false
  private var byteCount = 0
  /// The names in `fields` by their lowercase forms.
  private var names: [String: String] = [:]
  /// The last field, whose value can continue in the next line.
  private var last: (name: String, value: String)?

  var hasBegun: Bool { byteCount > 0 }

  var redirection: String? { [301, 302, 303, 307, 308].contains(status) ? location : nil }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    byteCount += bytes.count
    guard byteCount <= Self.byteLimit else { throw .tooLarge }
    // Trailers follow the body.
    guard !isComplete else { return }
    let line = trimmed(bytes[...])
    if let first = bytes.first, isSpace(first), first != 10, first != 13 {
      // libcurl reads the framing of the body from the first line only.
      guard let field = last, !["content-length", "transfer-encoding"].contains(field.name.lowercased()) else {
        throw .invalid("a header line is folded where it must not be")
      }
      if !line.isEmpty { last?.value = "\(field.value) \(text(line))" }
      return
    }
    try addLast()
    if line.starts(with: "HTTP/".utf8) {
      try begin(line)
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      last = (text(line[..<colon]), text(trimmed(line[(colon + 1)...])))
    } else if !line.isEmpty {
      throw .invalid("a header line has no colon")
    } else if status >= 200 {
      isComplete = true
    } else if status == 101 {
      throw .invalid("the server switched to another protocol")
    }
  }

  /// Interim responses, such as 100, precede the final one.
  private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) throws(Problem) {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[1].count == 3, let status = Int(text(words[1])), status >= 100 else {
      throw .invalid("the response has no valid status")
    }
    self.status = status
    (fields, names, location, coding, length) = ([:], [:], nil, nil, nil)
  }

  private mutating func addLast() throws(Problem) {
    guard let (name, value) = last else { return }
    last = nil
    let key = name.lowercased()
    switch key {
    case "content-length":
      guard let number = Int(value), value.utf8.allSatisfy({ (48...57).contains($0) }), length ?? number == number
      else { throw .invalid("the response's Content-Length \"\(value.prefix(40))\" is invalid") }
      if length != nil { return }
      length = number
    // The client does not ask for another one, and libcurl would not notice that its data is cut.
    case "transfer-encoding" where !["chunked", "identity"].contains(value.lowercased()):
      throw .invalid("the response has the Transfer-Encoding \"\(value.prefix(40))\"")
    case "location":
      // libcurl uses the first one too.
      if location != nil { return }
      location = value
    case "content-encoding": coding = coding.map { "\($0), \(value)" } ?? value
    default: break
    }
    let first = names[key, default: name]
    names[key] = first
    fields[first] = fields[first].map { "\($0), \(value)" } ?? value
    guard length == nil || names["transfer-encoding"] == nil else {
      throw .invalid("the response has both a Content-Length and a Transfer-Encoding")
    }
  }
}

/// The line ends of a header are trimmed too.
private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

private func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
  guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
  else { return bytes[bytes.endIndex...] }
  return bytes[first...last]
}

/// Returns bytes as UTF-8, or as Latin-1 if they are no UTF-8.
private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
  String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}
