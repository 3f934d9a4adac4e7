internal import Foundation

/// A parser of one HTTP/1 response, for bytes in pieces of any size.
///
/// The connection carries one exchange. The parser stores at most ``headLimit`` and ``bodyLimit`` bytes. Its time is proportional to
/// the number of bytes.
struct HTTPResponseParser {
  /// The reason why a response is invalid.
  struct Malformed: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  static let headLimit = 64 << 10
  static let bodyLimit = 4 << 20

  private enum Stage {
    case head
    case counted(Int)
    case untilTheEnd
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailer
    case done
  }

  private var stage = Stage.head
  /// The received bytes.
  ///
  /// Those before `start` were parsed.
  private var buffer: [UInt8] = []
  private var start = 0
  /// The end of the bytes without a line end, which are not searched again.
  private var searched = 0
  private var headBytes = 0
  private var lines: [String] = []
  private var response = HTTPTransport.Response(status: 0, body: Data())
  private var body: [UInt8] = []

  /// Adds bytes, and returns the response when it is complete.
  mutating func append(_ bytes: [UInt8]) throws(Malformed) -> HTTPTransport.Response? {
    buffer.removeFirst(start)
    searched = max(0, searched - start)
    start = 0
    buffer += bytes
    while try step() {}
    return isDone ? finished() : nil
  }

  /// Returns the response at the end of the connection.
  mutating func end() throws(Malformed) -> HTTPTransport.Response {
    guard case .untilTheEnd = stage else { throw Malformed("the connection closed before the response was complete") }
    return finished()
  }

  private var isDone: Bool { if case .done = stage { true } else { false } }

  private func finished() -> HTTPTransport.Response {
    var response = response
    response.body = Data(body)
    return response
  }

  /// Parses the next part, and returns whether another part can follow.
  private mutating func step() throws(Malformed) -> Bool {
    switch stage {
    case .head:
      guard let line = try line() else { return false }
      // Another protocol need not send an empty line.
      guard !lines.isEmpty || line.hasPrefix("HTTP/1.") else { throw Self.notHTTP }
      if line.isEmpty { try readHead() } else { lines.append(line) }
      return true
    case .counted(let count):
      let taken = try take(count)
      stage = taken == count ? .done : .counted(count - taken)
      return false
    case .untilTheEnd:
      _ = try take(.max)
      return false
    case .chunkSize:
      guard let line = try line() else { return false }
      let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      guard digits.utf8.count <= 8, let size = Int(digits, radix: 16), size >= 0, !digits.hasPrefix("+"),
        !digits.hasPrefix("-")
      else { throw Malformed("a chunk has no valid size") }
      stage = size == 0 ? .trailer : .chunk(size)
      return true
    case .chunk(let count):
      let taken = try take(count)
      stage = taken == count ? .chunkEnd : .chunk(count - taken)
      return taken == count
    case .chunkEnd:
      guard let line = try line() else { return false }
      guard line.isEmpty else { throw Malformed("a chunk is longer than its size") }
      stage = .chunkSize
      return true
    case .trailer:
      guard let line = try line() else { return false }
      if line.isEmpty { stage = .done }
      return !line.isEmpty
    case .done: return false
    }
  }

  private mutating func take(_ count: Int) throws(Malformed) -> Int {
    let taken = min(count, buffer.count - start)
    guard body.count + taken <= Self.bodyLimit else {
      throw Malformed("the response is longer than \(Self.bodyLimit) bytes")
    }
    body += buffer[start..<start + taken]
    start += taken
    return taken
  }

  /// Returns the next line of a header, a chunk size or a trailer.
  ///
  /// All lines together have a limit.
  private mutating func line() throws(Malformed) -> String? {
    guard let end = buffer[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      guard headBytes + buffer.count - start <= Self.headLimit else { throw tooLong }
      return nil
    }
    var line = buffer[start..<end]
    headBytes += line.count + 1
    guard headBytes <= Self.headLimit else { throw tooLong }
    start = end + 1
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  private static let notHTTP = Malformed("the response is not HTTP/1")

  private var tooLong: Malformed { Malformed("the header is longer than \(Self.headLimit) bytes") }

  private mutating func readHead() throws(Malformed) {
    let words = (lines.first ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
      (100...599).contains(status)
    else { throw Self.notHTTP }
    var length: Int?
    var isChunked = false
    (response.retryAfter, response.date) = (nil, nil)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw Malformed("a header line has no colon") }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].lowercased() {
      case "content-length":
        guard let count = Int(value), count >= 0, value.utf8.allSatisfy({ (48...57).contains($0) }),
          length ?? count == count
        else { throw Malformed("the Content-Length \"\(value.prefix(40))\" is invalid") }
        length = count
      case "transfer-encoding":
        guard value.lowercased() == "chunked" else {
          throw Malformed("the Transfer-Encoding \"\(value.prefix(40))\" is not supported")
        }
        isChunked = true
      case "retry-after": response.retryAfter = value
      case "date": response.date = value
      default: break
      }
    }
    lines = []
    // Interim responses such as 100 precede the response. This client requests no upgrade.
    guard status >= 200 else {
      guard status != 101 else { throw Malformed("the server switched to another protocol") }
      return
    }
    guard !(isChunked && length != nil) else {
      throw Malformed("the response has both a Content-Length and a chunked body")
    }
    response.status = status
    if status == 204 || status == 304 {
      stage = .done
    } else if isChunked {
      stage = .chunkSize
    } else if let length {
      guard length <= Self.bodyLimit else { throw Malformed("the response is longer than \(Self.bodyLimit) bytes") }
      stage = length == 0 ? .done : .counted(length)
    } else {
      stage = .untilTheEnd
    }
  }
}
