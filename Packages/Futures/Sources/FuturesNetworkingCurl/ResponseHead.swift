internal import Foundation

/// The status line and the header fields of a response, from the lines that libcurl passes.
struct ResponseHead {
  enum Problem: Error, Equatable {
    case tooLarge
    case invalid(String)
  }

  static let byteLimit = 64 << 10

  private(set) var status = 0
  private(set) var version = ""
  /// The fields.
  ///
  /// The values of fields with the same name are joined with a comma.
  private(set) var fields: [String: String] = [:]
  /// The value of `Content-Length`.
  private(set) var length: Int?
  /// Whether the header of the final response is complete.
  private(set) var isComplete = false
  private var byteCount = 0
  private var names: [String: String] = [:]

  var hasBegun: Bool { byteCount > 0 }

  /// The address of a redirect.
  var redirection: String? {
    guard [301, 302, 303, 307, 308].contains(status), let name = names["location"] else { return nil }
    return fields[name]
  }

  mutating func append(_ line: String, byteCount count: Int) throws(Problem) {
    byteCount += count
    guard byteCount <= Self.byteLimit else { throw .tooLarge }
    // Trailers follow the body.
    guard !isComplete else { return }
    let line = line.trimmingCharacters(in: .newlines)
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

  /// Begins a response.
  ///
  /// Interim responses, such as 100, precede the final one.
  private mutating func begin(_ line: String) throws(Problem) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else {
      throw .invalid("the response has no valid status")
    }
    (version, self.status) = (String(words[0]), status)
    (fields, names, length) = ([:], [:], nil)
  }

  private mutating func addField(_ line: String) throws(Problem) {
    guard let colon = line.firstIndex(of: ":") else { throw .invalid("a header line has no colon") }
    let name = String(line[..<colon])
    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    if name.lowercased() == "content-length" {
      guard let number = Int(value), number >= 0, value.utf8.allSatisfy({ (48...57).contains($0) }),
        length ?? number == number
      else { throw .invalid("the response's Content-Length \"\(value.prefix(40))\" is invalid") }
      length = number
    }
    let first = names[name.lowercased(), default: name]
    names[name.lowercased()] = first
    fields[first] = fields[first].map { "\($0), \(value)" } ?? value
    guard length == nil || names["transfer-encoding"] == nil else {
      throw .invalid("the response has both a Content-Length and a Transfer-Encoding")
    }
  }
}
