internal import Foundation

struct HeaderParser {
  enum Problem: Error, Equatable {
    case tooLarge
    case invalid(String)
  }

  static let byteLimit = 64 << 10

  private(set) var status = 0
  /// The values of fields with the same name are joined with a comma.
  private(set) var fields: [String: String] = [:]
  private(set) var length: Int?
  /// Whether the header of the final response is complete.
  private(set) var isComplete = false
  private var byteCount = 0
  private var names: [String: String] = [:]

  var hasBegun: Bool { byteCount > 0 }

  var redirection: String? {
    guard [301, 302, 303, 307, 308].contains(status), let name = names["location"] else { return nil }
    return fields[name]
  }

  mutating func append(_ line: String, byteCount count: Int) throws(Problem) {
    byteCount += count
    guard byteCount <= Self.byteLimit else { throw .tooLarge }
    // Trailers follow the body.
    guard !isComplete else { return }
    let line = line[...].trimmed { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    if line.hasPrefix("HTTP/") {
      try begin(line)
    } else if !line.isEmpty {
      try addField(line)
    } else if status >= 200 {
      isComplete = true
    } else if status == 101 {
      throw .invalid("the server switched to another protocol")
    }
  }

  /// Interim responses, such as 100, precede the final one.
  private mutating func begin(_ line: Substring) throws(Problem) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else {
      throw .invalid("the response has no valid status")
    }
    self.status = status
    (fields, names, length) = ([:], [:], nil)
  }

  private mutating func addField(_ line: Substring) throws(Problem) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw .invalid("a header line has no colon")
    }
    let name = String(line[..<colon])
    let key = name.lowercased()
    let value = String(
      line[line.utf8.index(after: colon)...].trimmed { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    if key == "content-length" {
      guard let number = Int(value), number >= 0, value.utf8.allSatisfy({ (48...57).contains($0) }),
        length ?? number == number
      else { throw .invalid("the response's Content-Length \"\(value.prefix(40))\" is invalid") }
      length = number
    }
    let first = names[key, default: name]
    names[key] = first
    fields[first] = fields[first].map { "\($0), \(value)" } ?? value
    guard length == nil || names["transfer-encoding"] == nil else {
      throw .invalid("the response has both a Content-Length and a Transfer-Encoding")
    }
  }
}

extension Substring {
  /// Foundation's function is slow: it takes a tenth of the time of a short request.
  fileprivate func trimmed(_ isTrimmed: (UInt8) -> Bool) -> Substring {
    guard let first = utf8.firstIndex(where: { !isTrimmed($0) }),
      let last = utf8.lastIndex(where: { !isTrimmed($0) })
    else { return "" }
    return self[first...last]
  }
}
