/// A parser of requests, for bytes in pieces of any size.
///
/// ``append(_:)`` adds bytes, and ``next()`` returns the next complete request. The bytes after a request are kept for the next one,
/// which supports pipelining.
struct HTTPRequestParser {
  /// A request and what its head said about the connection.
  struct Parsed: Equatable {
    var request: HTTPRequest
    let keepsAlive: Bool
    let isHTTP10: Bool
  }

  enum Stage: Equatable {
    /// Not a byte of a request has come.
    case between
    case head
    case body
  }

  private let limits: LoopbackLimits
  private var buffer: [UInt8] = []
  /// Everything before it is used up.
  private var position = 0
  /// Everything from `position` up to here has been searched for the end of the head.
  private var scanned = 0
  private var lineStart = 0
  private var lines: [Range<Int>] = []
  /// The head of the request whose body is coming in.
  private var head: HTTPRequestHead?
  private var chunked: ChunkedBody?
  private var owesContinue = false

  init(limits: LoopbackLimits) { self.limits = limits }

  var stage: Stage { head != nil ? .body : position == buffer.count ? .between : .head }

  mutating func append(_ bytes: [UInt8]) { buffer += bytes }

  /// Whether the client waits for leave to send its body; `true` once a request.
  mutating func takeContinue() -> Bool {
    defer { owesContinue = false }
    return owesContinue
  }

  /// The next complete request, or `nil` until more bytes come.
  ///
  /// After an error it returns no more requests.
  mutating func next() throws(HTTPRejection) -> Parsed? {
    if head == nil { try beginRequest() }
    guard let current = head, let body = try completeBody(current.framing) else { return nil }
    head = nil
    chunked = nil
    owesContinue = false
    compact()
    var request = current.request
    request.body = body
    return Parsed(request: request, keepsAlive: current.keepsAlive, isHTTP10: current.isHTTP10)
  }

  private mutating func beginRequest() throws(HTTPRejection) {
    guard let head = try completeHead() else { return }
    switch head.framing {
    case .length(let length):
      guard length <= max(0, limits.bodyBytes) else {
        throw HTTPRejection(.contentTooLarge, "the body exceeds the limit of \(limits.bodyBytes) bytes")
      }
    case .chunked:
      chunked = ChunkedBody(limits: limits)
    }
    owesContinue = head.expectsContinue && position == buffer.count
    self.head = head
  }

  private mutating func completeHead() throws(HTTPRejection) -> HTTPRequestHead? {
    if lines.isEmpty { skipBlankLines() }
    let limit = max(0, limits.headerBytes)
    while let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
      guard end + 1 - position <= limit else { throw tooLong() }
      guard end > lineStart, buffer[end - 1] == UInt8(ascii: "\r") else { throw .bareLineFeed }
      let line = lineStart..<(end - 1)
      scanned = end + 1
      lineStart = scanned
      guard line.isEmpty else {
        lines.append(line)
        continue
      }
      let slices = lines.map { buffer[$0] }
      lines = []
      position = scanned
      return try HTTPRequestHead(lines: slices)
    }
    scanned = buffer.count
    guard buffer.count - position <= limit else { throw tooLong() }
    return nil
  }

  private func tooLong() -> HTTPRejection {
    lines.isEmpty
      ? HTTPRejection(.uriTooLong, "the request line exceeds the limit of \(limits.headerBytes) bytes")
      : HTTPRejection(.requestHeaderFieldsTooLarge, "the header exceeds the limit of \(limits.headerBytes) bytes")
  }

  private mutating func completeBody(_ framing: HTTPRequestHead.Framing) throws(HTTPRejection) -> [UInt8]? {
    switch framing {
    case .length(let length):
      guard buffer.count - position >= length else { return nil }
      defer { position += length }
      return Array(buffer[position..<position + length])
    case .chunked:
      let isComplete = try chunked?.consume(buffer, from: &position) ?? true
      compact()
      return isComplete ? chunked?.body : nil
    }
  }

  /// Some clients end a body with a line end too many.
  private mutating func skipBlankLines() {
    while position < buffer.count, buffer[position] == UInt8(ascii: "\r") || buffer[position] == UInt8(ascii: "\n") {
      position += 1
    }
    scanned = max(scanned, position)
    lineStart = position
    if position == buffer.count { compact() }
  }

  private mutating func compact() {
    buffer.removeFirst(position)
    position = 0
    scanned = 0
    lineStart = 0
  }
}
