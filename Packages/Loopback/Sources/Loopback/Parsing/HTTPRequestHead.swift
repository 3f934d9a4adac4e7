/// The request line and header of a request, with the framing of its body.
struct HTTPRequestHead: Equatable {
  /// How the body's end is found.
  enum Framing: Equatable {
    case length(Int)
    case chunked
  }

  let request: HTTPRequest
  let framing: Framing
  let expectsContinue: Bool
  /// Whether the client lets the connection be used again.
  let keepsAlive: Bool
  let isHTTP10: Bool

  /// Reads the lines of a head, line ends removed.
  ///
  /// Where RFC 9112 leaves room for two readings of one message (two lengths, a length and a coding, folded lines,
  /// blanks before a colon) the message is refused: two readers who disagree are how requests are smuggled.
  init(lines: [ArraySlice<UInt8>]) throws(HTTPRejection) {
    guard let first = lines.first else { throw HTTPRejection(.badRequest, "the request line is missing") }
    let line = try Self.requestLine(first)
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      let (name, value) = try Self.field(line)
      headers.append(name, value)
    }
    let hosts = headers.values(for: "Host").count
    guard hosts == 1 || (hosts == 0 && line.isHTTP10) else {
      throw HTTPRejection(.badRequest, "it has \(hosts) Host headers instead of one")
    }
    for host in headers.values(for: "Host") + [line.host].compactMap({ $0 }) {
      guard LoopbackAddress.isNamed(host) else {
        throw HTTPRejection(.misdirectedRequest, "its host is not this machine. Use 127.0.0.1, [::1] or localhost")
      }
    }
    framing = try Self.framing(headers)
    isHTTP10 = line.isHTTP10
    keepsAlive =
      line.isHTTP10 ? headers.lists("keep-alive", in: "Connection") : !headers.lists("close", in: "Connection")
    if let expectation = headers["Expect"], !line.isHTTP10 {
      guard expectation.lowercased() == "100-continue" else {
        throw HTTPRejection(.expectationFailed, "the only supported expectation is 100-continue")
      }
      expectsContinue = framing != .length(0)
    } else {
      expectsContinue = false
    }
    request = HTTPRequest(line.method, line.path, query: line.query, headers: headers)
  }
}

extension HTTPRequestHead {
  private struct RequestLine {
    let method: HTTPMethod
    /// The host of an absolute target.
    let host: String?
    let path: String
    let query: URLEncodedFields
    let isHTTP10: Bool
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) throws(HTTPRejection) -> RequestLine {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(isTokenByte) else {
      throw HTTPRejection(.badRequest, "the first line is not of the form 'GET /birds HTTP/1.1'")
    }
    let isHTTP10: Bool
    switch String(decoding: words[2], as: UTF8.self) {
    case "HTTP/1.1": isHTTP10 = false
    case "HTTP/1.0": isHTTP10 = true
    case let version where version.hasPrefix("HTTP/"):
      throw HTTPRejection(.httpVersionNotSupported, "the supported versions are HTTP/1.1 and HTTP/1.0")
    default:
      throw HTTPRejection(.badRequest, "the first line does not end in a version such as HTTP/1.1")
    }
    let (host, path, query) = try target(words[1])
    let method = HTTPMethod(rawValue: String(decoding: words[0], as: UTF8.self))
    return RequestLine(method: method, host: host, path: path, query: query, isHTTP10: isHTTP10)
  }

  /// Takes `/path?query`, the same after `http://host`, and `*`.
  private static func target(_ word: ArraySlice<UInt8>) throws(HTTPRejection) -> (
    host: String?, path: String, query: URLEncodedFields
  ) {
    if word.elementsEqual("*".utf8) { return (nil, "*", URLEncodedFields()) }
    var host: String?
    var target = word
    if target.starts(with: "http://".utf8) {
      target = target.dropFirst(7)
      let end = target.firstIndex(of: UInt8(ascii: "/")) ?? target.endIndex
      host = String(decoding: target[..<end], as: UTF8.self)
      target = end < target.endIndex ? target[end...] : ArraySlice("/".utf8)
    }
    let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = PercentEncoding.decodePath(Array(parts.first ?? [])) else {
      throw HTTPRejection(.badRequest, "the path is malformed, or has an encoded '/' or a '.' or '..' segment")
    }
    return (host, path, URLEncodedFields(parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""))
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(HTTPRejection) -> (String, String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte), !line.contains(where: isForbiddenInValue)
    else { throw HTTPRejection(.badRequest, "a header line is not of the form 'Name: value'") }
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self)[...].trimmingSpaces
    return (String(decoding: line[..<colon], as: UTF8.self), String(value))
  }

  private static func framing(_ headers: HTTPHeaders) throws(HTTPRejection) -> Framing {
    let codings = headers.values(for: "Transfer-Encoding")
    let lengths = headers.values(for: "Content-Length")
    if let coding = codings.first {
      guard lengths.isEmpty else {
        throw HTTPRejection(.badRequest, "it has both Content-Length and Transfer-Encoding")
      }
      guard codings.count == 1, coding.lowercased() == "chunked" else {
        throw HTTPRejection(.notImplemented, "the only supported transfer coding is chunked")
      }
      return .chunked
    }
    guard let length = lengths.first else { return .length(0) }
    let isNumber = !length.isEmpty && length.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, lengths.allSatisfy({ $0 == length }) else {
      throw HTTPRejection(.badRequest, "Content-Length is not one decimal number")
    }
    return .length(Int(length) ?? .max)
  }
}
