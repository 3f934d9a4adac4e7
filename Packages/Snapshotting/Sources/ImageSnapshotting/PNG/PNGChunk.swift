internal import CLibpng
internal import Foundation

struct PNGChunk: Hashable, Sendable {
  /// The four letters of the type as a number.
  struct Kind: Hashable, Sendable {
    let code: UInt32

    /// Whether a reader must know the chunk.
    var isCritical: Bool { code & 0x2000_0000 == 0 }

    static let header = Kind(code: 0x4948_4452)  // IHDR
    static let palette = Kind(code: 0x504C_5445)  // PLTE
    static let picture = Kind(code: 0x4944_4154)  // IDAT
    static let end = Kind(code: 0x4945_4E44)  // IEND
    static let transparency = Kind(code: 0x7452_4E53)  // tRNS
    static let standard = Kind(code: 0x7352_4742)  // sRGB
    static let gamma = Kind(code: 0x6741_4D41)  // gAMA
    static let primaries = Kind(code: 0x6348_524D)  // cHRM
    static let profile = Kind(code: 0x6943_4350)  // iCCP
    static let codePoints = Kind(code: 0x6349_4350)  // cICP
    static let density = Kind(code: 0x7048_5973)  // pHYs

    static let meanings: Set<Kind> = [.standard, .gamma, .primaries, .profile, .codePoints, .density]
  }

  let kind: Kind
  let content: Data

  /// The chunk in a file: length, type, content and checksum.
  var bytes: Data {
    var bytes = Data()
    bytes.append(bigEndian: UInt32(content.count))
    bytes.append(bigEndian: kind.code)
    bytes += content
    bytes.append(bigEndian: bytes.dropFirst(4).withUnsafeBytes { CRC32.checksum($0) })
    return bytes
  }
}

extension PNGChunk {
  static let standard = PNGChunk(kind: .standard, content: Data([0]))

  /// Whether a description of the colours is valid.
  ///
  /// Readers ignore it otherwise.
  var isMeaningful: Bool {
    switch kind {
    case .standard: content.count == 1 && content.first.map { $0 <= 3 } ?? false
    case .gamma: content.count == 4 && content.bigEndian() > 0
    case .primaries: content.count == 32
    case .codePoints: content.count == 4
    case .profile: (1...79).contains(content.prefix { $0 != 0 }.count) && content.contains(0)
    default: true
    }
  }

  /// Creates the chunk of the density from the number of pixels in a point.
  ///
  /// An inch has 72 points.
  init(scale: Double) {
    var content = Data()
    let pixelsPerMetre = UInt32((scale * 72 / 0.0254).rounded())
    for _ in 0..<2 { content.append(bigEndian: pixelsPerMetre) }
    self.init(kind: .density, content: content + [1])
  }

  var scale: Double? {
    guard kind == .density, content.count == 9, content.last == 1, content.bigEndian() > 0,
      content.bigEndian() == content.bigEndian(at: 4)
    else { return nil }
    return Double(content.bigEndian()) * 0.0254 / 72
  }
}

extension Data {
  mutating func append(bigEndian number: UInt32) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
  }
}

enum CRC32 {
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, uInt(bytes.count)))
  }
}
