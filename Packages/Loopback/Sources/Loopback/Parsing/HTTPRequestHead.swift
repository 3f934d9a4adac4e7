import Foundation

struct HTTPRequestHead: Equatable {
  var request: HTTPRequest
  /// The number of bytes in the body, or `nil` if it is chunked.
  let bodyLength: Int?
  let expectsContinue: Bool
  let keepsAlive: Bool
  let isHTTP10: Bool

  /// If RFC 9112 allows two interpretations of a message (two lengths, a length and a coding, folded lines, spaces
  /// before a colon), the message is rejected.
  ///
  /// Parsers that interpret a message differently allow request smuggling.
  init(lines: [ArraySlice<UInt8>]) throws(HTTPRejection) {
    let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(isTokenByte) else {
      throw HTTPRejection(status: 400, reason: "the first line is not of the form 'GET /birds HTTP/1.1'")
    }
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    guard ["HTTP/1.1", "HTTP/1.0"].contains(texts[2]) else {
      throw texts[2].hasPrefix("HTTP/")
        ? HTTPRejection(status: 505, reason: "the supported versions are HTTP/1.1 and HTTP/1.0")
        : HTTPRejection(status: 400, reason: "the first line does not end in a version such as HTTP/1.1")
    }
    isHTTP10 = texts[2] == "HTTP/1.0"
    let target = try Self.target(texts[1])
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let (name, value) = try Self.field(line)
      headers.append(name, value)
    }
    let hosts = headers.values(for: "Host")
    guard hosts.count == 1 || (hosts.isEmpty && isHTTP10) else {
      throw HTTPRejection(status: 400, reason: "it has \(hosts.count) Host headers instead of one")
    }
    guard (hosts + [target.host].compactMap { $0 }).allSatisfy(Self.isLocal) else {
      throw HTTPRejection(status: 421, reason: "its host is not this machine")
    }
    bodyLength = try Self.bodyLength(headers)
    keepsAlive = isHTTP10 ? headers.lists("keep-alive", in: "Connection") : !headers.lists("close", in: "Connection")
    let expectation = isHTTP10 ? nil : headers["Expect"]?.lowercased()
    guard expectation == nil || expectation == "100-continue" else {
      throw HTTPRejection(status: 417, reason: "the only supported expectation is 100-continue")
    }
    expectsContinue = expectation != nil && bodyLength != 0
    request = HTTPRequest(HTTPMethod(rawValue: texts[0]), target.path, query: target.query, headers: headers)
  }
}

extension HTTPRequestHead {
  /// Parses `/path?query`, the same after `http://host`, or `*`.
  private static func target(_ word: String) throws(HTTPRejection) -> (
    host: String?, path: String, query: URLEncodedFields
  ) {
    if word == "*" { return (nil, "*", URLEncodedFields()) }
    var host: String?
    var target = word[...]
    if target.hasPrefix("http://") {
      target = target.dropFirst(7)
      host = String(target.prefix { $0 != "/" })
      target = target.drop { $0 != "/" }
      if target.isEmpty { target = "/" }
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = decodedPath(parts.first ?? "") else {
      throw HTTPRejection(status: 400, reason: "the path is malformed, or has an encoded '/' or a '.' or '..' segment")
    }
    return (host, path, URLEncodedFields(parts.count > 1 ? String(parts[1]) : ""))
  }

  /// Returns a decoded path that is safe to split at slashes and to look up in a folder, or `nil`.
  ///
  /// It rejects invalid escapes and UTF-8, an escaped slash (which would change the segments), control characters, and the segments
  /// `.` and `..`, escaped or not.
  static func decodedPath(_ text: some StringProtocol) -> String? {
    guard text.hasPrefix("/"), !text.contains("\u{FFFD}"), let path = text.removingPercentEncoding else { return nil }
    let slash = UInt8(ascii: "/")
    guard text.utf8.count(where: { $0 == slash }) == path.utf8.count(where: { $0 == slash }),
      !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      !path.utf8.split(separator: slash).contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    else { return nil }
    return path
  }

  /// Returns whether a host, with or without a port, is a name of this machine's own addresses.
  ///
  /// A page of another site can let its own host name point to 127.0.0.1. Its requests then arrive with that name.
  private static func isLocal(_ host: String) -> Bool {
    var name = host.lowercased()[...]
    if let colon = name.lastIndex(of: ":"), name[name.index(after: colon)...].allSatisfy(\.isNumber) {
      name = name[..<colon]
    }
    return name == "localhost" || name.hasSuffix(".localhost") || name == "127.0.0.1" || name == "[::1]"
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(HTTPRejection) -> (String, String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte), !line.contains(where: isForbiddenInValue)
    else { throw HTTPRejection(status: 400, reason: "a header line is not of the form 'Name: value'") }
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)[...].trimmingSpaces
    return (String(decoding: line[..<colon], as: UTF8.self), String(value))
  }

  private static func bodyLength(_ headers: HTTPHeaders) throws(HTTPRejection) -> Int? {
    let codings = headers.values(for: "Transfer-Encoding")
    let lengths = headers.values(for: "Content-Length")
    if let coding = codings.first {
      guard lengths.isEmpty else {
        throw HTTPRejection(status: 400, reason: "it has both Content-Length and Transfer-Encoding")
      }
      guard codings.count == 1, coding.lowercased() == "chunked" else {
        throw HTTPRejection(status: 501, reason: "the only supported transfer coding is chunked")
      }
      return nil
    }
    guard let length = lengths.first else { return 0 }
    let isNumber = !length.isEmpty && length.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, lengths.allSatisfy({ $0 == length }) else {
      throw HTTPRejection(status: 400, reason: "Content-Length is not one decimal number")
    }
    return Int(length) ?? .max
  }
}
