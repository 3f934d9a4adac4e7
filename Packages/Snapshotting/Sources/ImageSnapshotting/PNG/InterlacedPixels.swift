internal import CLibpng
internal import Foundation

/// Pixels from interlaced PNG files of sixteen bits, by zlib alone.
///
/// libpng is not asked: versions that were mended in a hurry (CVE-2025-65018) give the rows of such a picture in a wrong order.
/// The picture is seven small ones, each of every so many columns and rows, one after the other in one compressed stream.
struct InterlacedPixels {
  /// The first column and row of each small picture, and the steps to the next ones.
  private static let passes: [(x: Int, y: Int, across: Int, down: Int)] = [
    (0, y: 0, across: 8, down: 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  private let width: Int
  private let height: Int
  /// Grey; colour; grey and alpha; colour and alpha.
  private let samples: Int
  /// The one colour that is transparent, in the bytes of a pixel.
  private var transparent: [UInt8] = []
  private var compressed = Data()

  /// The pixels of a file, four bytes each.
  ///
  /// - Parameters:
  ///   - file: A file that has nothing but its picture.
  ///   - layout: What is known of it.
  static func pixels(of file: Data, _ layout: PNGLayout) throws(PNGError) -> [UInt8] {
    try InterlacedPixels(file, layout).pixels()
  }

  private init(_ file: Data, _ layout: PNGLayout) throws(PNGError) {
    (width, height) = (layout.width, layout.height)
    let header = Array(file.prefix(PNGLayout.headLength))
    guard let samples = [0: 1, 2: 3, 4: 2, 6: 4][header[25]], header[26] == 0, header[27] == 0 else {
      throw .damaged("the pixel format is invalid")
    }
    self.samples = samples
    for chunk in try PNGChunk.all(in: file) {
      switch chunk.kind {
      case .picture: compressed += chunk.content
      case .transparency where compressed.isEmpty && samples % 2 == 1 && chunk.content.count == samples * 2:
        transparent = Array(chunk.content)
      case .header, .palette, .transparency, .end: break
      default: throw .damaged("it has an unknown critical chunk")
      }
    }
  }

  private func pixels() throws(PNGError) -> [UInt8] {
    var lines = try inflated()
    var pixels = [UInt8](repeating: 255, count: width * height * 4)
    var start = 0
    for pass in Self.passes where pass.x < width {
      let columns = stride(from: pass.x, to: width, by: pass.across)
      var previous: Int?
      for row in stride(from: pass.y, to: height, by: pass.down) {
        let length = lineLength(of: pass.x, pass.across)
        try lines.withUnsafeMutableBufferPointer { lines throws(PNGError) in
          try undoFilter(lines, at: start, length, after: previous)
        }
        var offset = start + 1
        for column in columns {
          store(lines[offset..<offset + samples * 2], in: &pixels, at: (row * width + column) * 4)
          offset += samples * 2
        }
        previous = start
        start += length
      }
    }
    return pixels
  }

  /// The lines of all the small pictures, each after the number of its filter.
  private func inflated() throws(PNGError) -> [UInt8] {
    let count = Self.passes.reduce(0) { sum, pass in
      guard pass.x < width else { return sum }
      return sum + lineLength(of: pass.x, pass.across) * ((height - pass.y + pass.down - 1) / pass.down)
    }
    var size = uLongf(count)
    var lines = [UInt8](repeating: 0, count: count)
    let code = compressed.withUnsafeBytes { bytes in
      uncompress(&lines, &size, bytes.bindMemory(to: UInt8.self).baseAddress, uLong(bytes.count))
    }
    guard code == Z_OK, size == count else {
      throw .damaged("the compressed data is invalid or does not match the size")
    }
    return lines
  }

  private func lineLength(of first: Int, _ step: Int) -> Int {
    1 + (width - first + step - 1) / step * samples * 2
  }

  /// Puts a pixel's samples where they belong, rounded to eight bits.
  private func store(_ bytes: ArraySlice<UInt8>, in pixels: inout [UInt8], at target: Int) {
    let sample = { (index: Int) -> UInt8 in
      let high = bytes[bytes.startIndex + index * 2]
      let low = bytes[bytes.startIndex + index * 2 + 1]
      return UInt8(((Int(high) << 8 | Int(low)) * 255 + 32_767) / 65_535)
    }
    let colors = samples > 2 ? 3 : 1
    for index in 0..<3 { pixels[target + index] = sample(min(index, colors - 1)) }
    if samples % 2 == 0 {
      pixels[target + 3] = sample(samples - 1)
    } else if transparent.elementsEqual(bytes) {
      pixels[target + 3] = 0
    }
  }

  /// Makes a line's bytes what they were before they were made easier to compress, in place.
  private func undoFilter(
    _ lines: UnsafeMutableBufferPointer<UInt8>, at start: Int, _ length: Int, after previous: Int?
  ) throws(PNGError) {
    let filter = lines[start]
    guard filter <= 4 else { throw .damaged("a row has the unknown filter type \(filter)") }
    guard filter > 0 else { return }
    let step = samples * 2
    for offset in 1..<length {
      let left = offset > step ? Int(lines[start + offset - step]) : 0
      let above = previous.map { Int(lines[$0 + offset]) } ?? 0
      let corner = if let previous, offset > step { Int(lines[previous + offset - step]) } else { 0 }
      let guess =
        switch filter {
        case 1: left
        case 2: above
        case 3: (left + above) / 2
        default: Self.nearest(left, above, corner)
        }
      lines[start + offset] &+= UInt8(guess)
    }
  }

  /// Paeth's choice: of three neighbours, the one that is nearest to a plane through all of them.
  private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let (toLeft, toAbove, toCorner) = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
    if toLeft <= toAbove, toLeft <= toCorner { return left }
    return toAbove <= toCorner ? above : corner
  }
}

extension PNGChunk {
  /// The chunks of a file, whose lengths are known to be right.
  ///
  /// - Throws: ``PNGError`` when a checksum does not match.
  fileprivate static func all(in file: Data) throws(PNGError) -> [PNGChunk] {
    let chunks = file.withUnsafeBytes { bytes -> [PNGChunk]? in
      var chunks: [PNGChunk] = []
      var offset = PNGLayout.signature.count
      while offset < bytes.count {
        let end = offset + 8 + Int(bytes.bigEndian(at: offset))
        let sum = CRC32.checksum(UnsafeRawBufferPointer(rebasing: bytes[offset + 4..<end]))
        guard sum == bytes.bigEndian(at: end) else { return nil }
        chunks.append(
          PNGChunk(kind: Kind(code: bytes.bigEndian(at: offset + 4)), content: Data(bytes[offset + 8..<end])))
        offset = end + 4
      }
      return chunks
    }
    guard let chunks else { throw .damaged("a checksum does not match") }
    return chunks
  }
}
