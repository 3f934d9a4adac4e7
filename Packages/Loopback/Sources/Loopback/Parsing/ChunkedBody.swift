/// A decoder of the chunked transfer coding.
struct ChunkedBody {
  private enum Stage: Equatable {
    case size
    case data(remaining: Int)
    case dataEnd
    case trailer(bytes: Int)
  }

  private(set) var body: [UInt8] = []
  private var stage = Stage.size
  private let limits: LoopbackLimits

  init(limits: LoopbackLimits) { self.limits = limits }

  /// Decodes bytes from the buffer, advances the position, and returns whether the body is complete.
  mutating func consume(_ buffer: [UInt8], from position: inout Int) throws(HTTPRejection) -> Bool {
    while true {
      switch stage {
      case .size:
        guard let line = try line(of: buffer, from: &position, limit: 1_024) else { return false }
        let size = try Self.size(line)
        guard size <= max(0, limits.bodyBytes) - body.count else {
          throw HTTPRejection(.contentTooLarge, "the body exceeds the limit of \(limits.bodyBytes) bytes")
        }
        stage = size == 0 ? .trailer(bytes: 0) : .data(remaining: size)
      case .data(let remaining):
        let count = min(remaining, buffer.count - position)
        body += buffer[position..<position + count]
        position += count
        guard count == remaining else {
          stage = .data(remaining: remaining - count)
          return false
        }
        stage = .dataEnd
      case .dataEnd:
        guard let line = try line(of: buffer, from: &position, limit: 2) else { return false }
        guard line.isEmpty else { throw HTTPRejection(.badRequest, "a chunk is longer than its declared size") }
        stage = .size
      case .trailer(let bytes):
        let limit = max(0, limits.headerBytes) - bytes
        guard let line = try line(of: buffer, from: &position, limit: limit, over: .requestHeaderFieldsTooLarge)
        else { return false }
        if line.isEmpty { return true }
        stage = .trailer(bytes: bytes + line.count + 2)
      }
    }
  }

  private func line(
    of buffer: [UInt8], from position: inout Int, limit: Int, over: HTTPStatus = .badRequest
  ) throws(HTTPRejection) -> ArraySlice<UInt8>? {
    let rest = buffer[position...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      guard rest.count <= limit + 1 else { throw HTTPRejection(over, "a line of the chunked coding is too long") }
      return nil
    }
    guard rest[..<end].last == UInt8(ascii: "\r") else { throw .bareLineFeed }
    let line = rest[..<(end - 1)]
    guard line.count <= limit else { throw HTTPRejection(over, "a line of the chunked coding is too long") }
    position = end + 1
    return line
  }

  private static func size(_ line: ArraySlice<UInt8>) throws(HTTPRejection) -> Int {
    let digits = line.prefix { PercentEncoding.hexValue($0) != nil }
    let rest = line[digits.endIndex...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard !digits.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";") else {
      throw HTTPRejection(.badRequest, "a chunk size is not a hexadecimal number")
    }
    return Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
  }
}
