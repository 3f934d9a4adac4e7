/// The bytes after a request are kept for the next one, which supports pipelining.
struct HTTPRequestParser {
  enum Stage: Comparable {
    case between
    case head
    case body
  }

  private let limits: LoopbackLimits
  private var buffer = InputBuffer()
  private var lines: [ArraySlice<UInt8>] = []
  private var headBytes = 0
  private var head: HTTPRequestHead?
  private var chunked: ChunkedBody?
  private var owesContinue = false

  init(limits: LoopbackLimits) { self.limits = limits }

  var stage: Stage { head != nil ? .body : lines.isEmpty && buffer.count == 0 ? .between : .head }

  mutating func append(_ bytes: [UInt8]) { buffer.append(bytes) }

  /// Returns whether the client waits for permission to send its body; `true` once for each request.
  mutating func takeContinue() -> Bool {
    defer { owesContinue = false }
    return owesContinue
  }

  /// After an error it returns no more requests.
  mutating func next() throws(HTTPRejection) -> HTTPRequestHead? {
    if head == nil { try beginRequest() }
    guard var complete = head, let body = try completeBody(complete.bodyLength) else { return nil }
    head = nil
    chunked = nil
    owesContinue = false
    complete.request.body = body
    return complete
  }

  private mutating func beginRequest() throws(HTTPRejection) {
    guard let head = try completeHead() else { return }
    guard head.bodyLength ?? 0 <= max(0, limits.bodyBytes) else {
      throw HTTPRejection(status: 413, reason: "the body exceeds the limit of \(limits.bodyBytes) bytes")
    }
    if head.bodyLength == nil { chunked = ChunkedBody(limits: limits) }
    owesContinue = head.expectsContinue && buffer.count == 0
    self.head = head
  }

  private mutating func completeHead() throws(HTTPRejection) -> HTTPRequestHead? {
    while true {
      let tooLong =
        lines.isEmpty
        ? HTTPRejection(status: 414, reason: "the request line exceeds the limit of \(limits.headerBytes) bytes")
        : HTTPRejection(status: 431, reason: "the header exceeds the limit of \(limits.headerBytes) bytes")
      guard let line = try buffer.line(limit: limits.headerBytes - headBytes, orThrow: tooLong) else { return nil }
      // Some clients send an extra line end after a body.
      if line.isEmpty, lines.isEmpty { continue }
      headBytes += line.count + 2
      guard line.isEmpty else {
        lines.append(line)
        continue
      }
      defer { (lines, headBytes) = ([], 0) }
      return try HTTPRequestHead(lines: lines)
    }
  }

  private mutating func completeBody(_ length: Int?) throws(HTTPRejection) -> [UInt8]? {
    if let length { return buffer.count < length ? nil : Array(buffer.take(length)) }
    return try chunked?.consume(&buffer) == true ? chunked?.body : nil
  }
}
