import Foundation

/// Parses the requests of a connection, as RFC 9112 describes them.
///
/// The bytes after a request are kept for the next one (pipelining). If the RFC allows two interpretations of a message (two lengths, a
/// length and a coding, folded lines, spaces before a colon, a bare line feed), the message is rejected, because parsers that differ allow
/// request smuggling.
struct RequestParser {
  /// The maximum number of bytes in a request line with its header, and in a line of a chunked body.
  static let headerBytes = 64 << 10
  /// The maximum number of bytes in a body.
  static let bodyBytes = 64 << 20

  private enum Stage {
    case head
    case body(length: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailer
  }

  private var stage = Stage.head
  private var buffer = InputBuffer()
  private var lines: [ArraySlice<UInt8>] = []
  private var lineBytes = 0
  private var head: RequestHead?
  private var body: [UInt8] = []
  private var owesContinue = false

  /// Whether no byte of another request has arrived.
  var isEmpty: Bool { head == nil && lines.isEmpty && buffer.count == 0 }

  mutating func append(_ bytes: [UInt8]) { buffer.append(bytes) }

  /// Returns whether the client waits for permission to send its body; `true` once for each request.
  mutating func takeContinue() -> Bool {
    defer { owesContinue = false }
    return owesContinue
  }

  /// Returns the next request, or `nil` if it is incomplete.
  ///
  /// After an error it returns no more requests.
  mutating func next() throws(HTTPRejection) -> RequestHead? {
    while true {
      switch stage {
      case .head:
        guard let line = try line() else { return nil }
        // Some clients send an extra line end after a body.
        if line.isEmpty, lines.isEmpty { continue }
        lineBytes += line.count + 2
        if line.isEmpty { try beginBody() } else { lines.append(line) }
      case .body(let length):
        guard buffer.count >= length else { return nil }
        body = Array(buffer.take(length))
        return endRequest()
      case .chunkSize:
        guard let line = try line() else { return nil }
        let size = try Self.chunkSize(line)
        try Self.checkBody(size, after: body.count)
        stage = size == 0 ? .trailer : .chunk(remaining: size)
      case .chunk(let remaining):
        let data = buffer.take(remaining)
        body += data
        stage = data.count == remaining ? .chunkEnd : .chunk(remaining: remaining - data.count)
        guard data.count == remaining else { return nil }
      case .chunkEnd:
        guard let line = try line() else { return nil }
        guard line.isEmpty else { throw HTTPRejection(400, "a chunk is longer than its declared size") }
        stage = .chunkSize
      case .trailer:
        guard let line = try line() else { return nil }
        if line.isEmpty { return endRequest() }
      }
    }
  }

  private mutating func beginBody() throws(HTTPRejection) {
    let head = try RequestHead(lines)
    (lines, lineBytes) = ([], 0)
    if let length = head.bodyLength { try Self.checkBody(length, after: 0) }
    stage = head.bodyLength.map { .body(length: $0) } ?? .chunkSize
    owesContinue = head.expectsContinue && buffer.count == 0
    self.head = head
  }

  private mutating func endRequest() -> RequestHead? {
    defer { (stage, head, body, owesContinue) = (.head, nil, [], false) }
    head?.request.body = body
    return head
  }

  private mutating func line() throws(HTTPRejection) -> ArraySlice<UInt8>? {
    let line = buffer.line()
    guard lineBytes + (line.map { $0.count + 1 } ?? buffer.count) <= Self.headerBytes else {
      throw HTTPRejection(431, "a header exceeds the limit of \(Self.headerBytes) bytes", "Send less.")
    }
    guard let line else { return nil }
    guard line.last == UInt8(ascii: "\r") else {
      throw HTTPRejection(400, "a line ends in a line feed without a carriage return")
    }
    return line.dropLast()
  }

  private static func checkBody(_ size: Int, after count: Int) throws(HTTPRejection) {
    guard size <= bodyBytes - count else {
      throw HTTPRejection(413, "the body exceeds the limit of \(bodyBytes) bytes", "Send less.")
    }
  }

  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(HTTPRejection) -> Int {
    let size = line.prefix { $0 != UInt8(ascii: ";") }.trimmingSpaces
    guard !size.isEmpty, size.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
      throw HTTPRejection(400, "a chunk size is not a hexadecimal number")
    }
    return Int(String(decoding: size, as: UTF8.self), radix: 16) ?? .max
  }
}

/// The response to a request that cannot be read.
struct HTTPRejection: Error, Equatable {
  let response: HTTPResponse

  init(_ status: HTTPStatus, _ reason: String, _ nextStep: String = "Correct the request.") {
    response = .text("Cannot read the request: \(reason). \(nextStep)\n", status: status)
  }
}

/// A request, and the parts of its header that concern the connection.
struct RequestHead: Equatable {
  var request: HTTPRequest
  let isHTTP10: Bool
  let keepsAlive: Bool
  /// The number of bytes in the body, or `nil` if it is chunked.
  let bodyLength: Int?
  let expectsContinue: Bool

  init(_ lines: [ArraySlice<UInt8>]) throws(HTTPRejection) {
    let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]) else {
      throw HTTPRejection(400, "the first line is not of the form 'GET /birds HTTP/1.1'")
    }
    isHTTP10 = words[2].elementsEqual("HTTP/1.0".utf8)
    guard isHTTP10 || words[2].elementsEqual("HTTP/1.1".utf8) else {
      throw HTTPRejection(505, "the first line does not end in HTTP/1.1 or HTTP/1.0")
    }
    let target = try Self.target(words[1])
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let (name, value) = try Self.field(line)
      headers.append(name, value)
    }
    let hosts = headers.values(for: "Host")
    guard hosts.count == 1 || (hosts.isEmpty && isHTTP10) else {
      throw HTTPRejection(400, "it has \(hosts.count) Host headers instead of one")
    }
    guard (hosts + [target.host].compactMap(\.self)).allSatisfy(Self.isLocal) else {
      throw HTTPRejection(421, "its host is not this machine", "Use 127.0.0.1 or localhost.")
    }
    bodyLength = try Self.bodyLength(headers)
    keepsAlive = isHTTP10 ? headers.lists("keep-alive", in: "Connection") : !headers.lists("close", in: "Connection")
    expectsContinue = !isHTTP10 && headers.lists("100-continue", in: "Expect") && bodyLength != 0
    let method = HTTPMethod(rawValue: String(decoding: words[0], as: UTF8.self))
    request = HTTPRequest(method, target.path, query: target.query, headers: headers)
    request.target = target.text
  }

  /// Parses `/path?query`, the same after `http://host` or `https://host` in any case, or `*`.
  private static func target(
    _ word: ArraySlice<UInt8>
  ) throws(HTTPRejection) -> (host: String?, text: String, path: String, query: URLEncodedFields) {
    if word.elementsEqual("*".utf8) { return (nil, "*", "*", URLEncodedFields()) }
    var (host, rest) = (String?.none, word)
    let start = String(decoding: word.prefix(8), as: UTF8.self).lowercased()
    if let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) {
      let name = word.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      host = String(decoding: name, as: UTF8.self)
      rest = word[name.endIndex...]
      if rest.first != UInt8(ascii: "/") { rest = [UInt8(ascii: "/")] + rest }
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    guard let decoded = decodedPath(path) else {
      throw HTTPRejection(400, "the path is malformed, or has an encoded '/' or a '.' or '..' segment")
    }
    let query = URLEncodedFields(String(decoding: rest[path.endIndex...].dropFirst(), as: UTF8.self))
    return (host, String(decoding: rest, as: UTF8.self), decoded, query)
  }

  /// Returns a decoded path that is safe to split at slashes and to look up in a folder, or `nil`.
  ///
  /// It rejects invalid escapes and UTF-8, an escaped slash (which would change the segments), control characters, and the segments
  /// `.` and `..`, escaped or not.
  private static func decodedPath(_ bytes: ArraySlice<UInt8>) -> String? {
    let slash = UInt8(ascii: "/")
    guard bytes.first == slash, let text = String(validating: bytes, as: UTF8.self),
      let path = text.removingPercentEncoding,
      path.utf8.count(where: { $0 == slash }) == bytes.count(where: { $0 == slash }),
      !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      !path.utf8.split(separator: slash).contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    else { return nil }
    return path
  }

  /// Returns whether a host is a name of this machine's own addresses.
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
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]),
      !line.contains(where: isForbiddenInValue)
    else { throw HTTPRejection(400, "a header line is not of the form 'Name: value'") }
    let value = line[(colon + 1)...].trimmingSpaces
    return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private static func bodyLength(_ headers: HTTPHeaders) throws(HTTPRejection) -> Int? {
    let codings = headers.values(for: "Transfer-Encoding")
    let lengths = headers.values(for: "Content-Length")
    if !codings.isEmpty {
      guard lengths.isEmpty else { throw HTTPRejection(400, "it has both Content-Length and Transfer-Encoding") }
      guard codings.map({ $0.lowercased() }) == ["chunked"] else {
        throw HTTPRejection(501, "the only supported transfer coding is chunked")
      }
      return nil
    }
    guard let length = lengths.first else { return 0 }
    let isNumber = !length.isEmpty && length.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, lengths.allSatisfy({ $0 == length }) else {
      throw HTTPRejection(400, "Content-Length is not one decimal number")
    }
    return Int(length) ?? .max
  }
}
