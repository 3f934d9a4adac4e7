struct ChunkedBody {
  private enum Stage {
    case size
    case data(remaining: Int)
    case dataEnd
    case trailer(bytes: Int)
  }

  private(set) var body: [UInt8] = []
  private var stage = Stage.size
  private let limits: LoopbackLimits

  init(limits: LoopbackLimits) { self.limits = limits }

  mutating func consume(_ buffer: inout InputBuffer) throws(HTTPRejection) -> Bool {
    while true {
      switch stage {
      case .size:
        let tooLong = HTTPRejection(status: 400, reason: "a line of the chunked coding is too long")
        guard let line = try buffer.line(limit: 1_024, orThrow: tooLong) else { return false }
        let size = try Self.size(line)
        guard size <= max(0, limits.bodyBytes) - body.count else {
          throw HTTPRejection(status: 413, reason: "the body exceeds the limit of \(limits.bodyBytes) bytes")
        }
        stage = size == 0 ? .trailer(bytes: 0) : .data(remaining: size)
      case .data(let remaining):
        let data = buffer.take(remaining)
        body += data
        stage = data.count == remaining ? .dataEnd : .data(remaining: remaining - data.count)
        guard data.count == remaining else { return false }
      case .dataEnd:
        let tooLong = HTTPRejection(status: 400, reason: "a chunk is longer than its declared size")
        guard try buffer.line(limit: 2, orThrow: tooLong) != nil else { return false }
        stage = .size
      case .trailer(let bytes):
        let tooLong = HTTPRejection(status: 431, reason: "the trailer exceeds the limit of \(limits.headerBytes) bytes")
        guard let line = try buffer.line(limit: limits.headerBytes - bytes, orThrow: tooLong) else { return false }
        if line.isEmpty { return true }
        guard !line.contains(where: Self.isControl) else {
          throw HTTPRejection(status: 400, reason: "the trailer contains a control character")
        }
        stage = .trailer(bytes: bytes + line.count + 2)
      }
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

  private static func size(_ line: ArraySlice<UInt8>) throws(HTTPRejection) -> Int {
    let text = String(decoding: line, as: UTF8.self)
    let digits = text.prefix { $0.isASCII && $0.isHexDigit }
    let rest = text[digits.endIndex...].trimmingSpaces
    guard !digits.isEmpty, rest.isEmpty || rest.first == ";", !line.contains(where: isControl) else {
      throw HTTPRejection(
        status: 400, reason: "a chunk size is not a hexadecimal number, or its extension is malformed")
    }
    return Int(digits, radix: 16) ?? .max
  }
}
