internal import Foundation

/// libpng receives only the chunks of the pixels.
///
/// Other chunks (text, profiles, times, unknown ones) would be a risk, and could change the pixels.
struct PNGLayout {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var bitsPerPixel = 0
  private(set) var meanings: [PNGChunk] = []
  /// The ranges of the chunks with the pixels, after the header chunk.
  private(set) var pieces: [Range<Int>] = []
  private var pictureBytes = 0

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  static let headLength = 33
  /// Profiles of half this size are rare.
  private static let largestMeaning = 4 << 20

  init(of file: Data, limits: PNGLimits) throws(PNGError) {
    let layout = file.withUnsafeBytes { bytes in
      Result { () throws(PNGError) in try PNGLayout(bytes, limits: limits) }
    }
    self = try layout.get()
  }

  private init(_ file: UnsafeRawBufferPointer, limits: PNGLimits) throws(PNGError) {
    guard file.prefix(8).elementsEqual(Self.signature) else {
      guard file.isEmpty || !Self.signature.starts(with: file.prefix(8)) else {
        throw .truncated("the header is missing")
      }
      throw .notPNG(file.count)
    }
    var offset = 8
    while true {
      guard file.count - offset >= 12 else {
        throw .truncated("it ends after \(file.count) bytes, without an IEND chunk")
      }
      let length = Int(file.bigEndian(at: offset))
      let kind = PNGChunk.Kind(code: file.bigEndian(at: offset + 4))
      guard length <= file.count - offset - 12 else {
        throw .truncated("it ends after \(file.count) bytes, but needs at least \(offset + 12 + length)")
      }
      let next = offset + 12 + length
      try take(kind, file, content: offset + 8..<next - 4, limits)
      if kind == .end { break }
      offset = next
    }
    // Deflate expands a byte to at most 1032 bytes.
    let least = (width * height * bitsPerPixel + 7) / 8
    guard pictureBytes * 1_032 >= least else {
      throw .truncated("\(pictureBytes) bytes of compressed data are too few for \(width)×\(height) pixels")
    }
  }

  private mutating func take(
    _ kind: PNGChunk.Kind, _ file: UnsafeRawBufferPointer, content: Range<Int>, _ limits: PNGLimits
  ) throws(PNGError) {
    guard (kind == .header) == (content.lowerBound == 16) else {
      throw .damaged("the IHDR chunk is missing or misplaced")
    }
    if kind == .header { return try readHeader(file, content, limits) }
    if kind == .picture { pictureBytes += content.count }
    if kind.isCritical || kind == .transparency {
      keep(content.lowerBound - 8..<content.upperBound + 4)
    } else if pictureBytes == 0, PNGChunk.Kind.meanings.contains(kind), content.count <= Self.largestMeaning {
      // A description after the pixels is ignored.
      let sum = CRC32.checksum(UnsafeRawBufferPointer(rebasing: file[content.lowerBound - 4..<content.upperBound]))
      guard sum == file.bigEndian(at: content.upperBound) else { throw .damaged("a checksum does not match") }
      meanings.append(PNGChunk(kind: kind, content: Data(file[content])))
    }
  }

  private mutating func readHeader(
    _ file: UnsafeRawBufferPointer, _ content: Range<Int>, _ limits: PNGLimits
  ) throws(PNGError) {
    guard content.count == 13 else { throw .damaged("the IHDR chunk has \(content.count) bytes instead of 13") }
    width = Int(file.bigEndian(at: 16))
    height = Int(file.bigEndian(at: 20))
    // Grey, colour, palette, grey and alpha, colour and alpha.
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][file[25]] ?? 0
    bitsPerPixel = samples * Int(file[24])
    guard bitsPerPixel > 0, bitsPerPixel <= 64 else { throw .damaged("the pixel format is invalid") }
    guard width > 0, height > 0, width >> 31 == 0, height >> 31 == 0 else {
      throw .damaged("the size \(width)×\(height) is invalid")
    }
    guard Image.isPossible(width: width, height: height), width * height * 4 <= limits.bytes else {
      throw .tooLarge(width, height, limits)
    }
  }

  private mutating func keep(_ range: Range<Int>) {
    if let last = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = last.lowerBound..<range.upperBound
    } else {
      pieces.append(range)
    }
  }
}
