import Foundation

/// PNG files of every kind, written byte by byte and without compression.
///
/// They do not use the library, so both can be compared with the specification.
struct PNGBuilder {
  var width: Int
  var height: Int
  var kind: Kind
  /// The samples of all pixels in order; in a palette image the indices.
  var samples: [UInt16]
  /// Red, green and blue of each entry.
  var palette: [[UInt8]] = []
  /// The alpha of the palette entries, or the transparent colour, as in the file.
  var transparency: [UInt8]?
  /// Chunks between the header and the palette.
  var chunks: [(String, [UInt8])] = []

  struct Kind: Sendable, Hashable, CustomStringConvertible {
    var code: UInt8
    var depth: Int
    var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][code] ?? 0 }
    var description: String {
      "\([0: "grey", 2: "colour", 3: "palette", 4: "grey and alpha", 6: "colour and alpha"][code] ?? "?") of \(depth) bits"
    }

    static let all: [Kind] =
      [1, 2, 4, 8, 16].map { Kind(code: 0, depth: $0) } + [8, 16].map { Kind(code: 2, depth: $0) }
      + [1, 2, 4, 8].map { Kind(code: 3, depth: $0) } + [8, 16].map { Kind(code: 4, depth: $0) }
      + [8, 16].map { Kind(code: 6, depth: $0) }
  }

  var data: Data {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header = bigEndian(width) + bigEndian(height) + [UInt8(kind.depth), kind.code, 0, 0, 0]
    bytes += Self.chunk("IHDR", header)
    for (name, content) in chunks { bytes += Self.chunk(name, content) }
    if !palette.isEmpty { bytes += Self.chunk("PLTE", palette.flatMap { $0 }) }
    if let transparency { bytes += Self.chunk("tRNS", transparency) }
    bytes += Self.chunk("IDAT", Self.stored(rows))
    bytes += Self.chunk("IEND", [])
    return Data(bytes)
  }

  /// The pixels by the specification: red, green, blue and alpha with eight bits each.
  var expected: [UInt8] {
    (0..<width * height).flatMap { index -> [UInt8] in
      let parts = samples[index * kind.channels..<(index + 1) * kind.channels].map { Int($0) }
      let eight = parts.map(eightBits)
      switch kind.code {
      case 0: return [eight[0], eight[0], eight[0], isTransparent(parts) ? 0 : 255]
      case 2: return eight + [isTransparent(parts) ? 0 : 255]
      case 3:
        let alphas = transparency ?? []
        return palette[parts[0]] + [parts[0] < alphas.count ? alphas[parts[0]] : 255]
      case 4: return [eight[0], eight[0], eight[0], eight[1]]
      default: return eight
      }
    }
  }

  private func isTransparent(_ parts: [Int]) -> Bool {
    guard let transparency else { return false }
    return parts.enumerated().allSatisfy { index, part in
      Int(transparency[index * 2]) << 8 | Int(transparency[index * 2 + 1]) == part
    }
  }

  private func eightBits(_ sample: Int) -> UInt8 {
    let most = 1 << kind.depth - 1
    return UInt8((sample * 510 + most) / (most * 2))
  }

  /// The lines of the file, each after the number of its filter.
  private var rows: [UInt8] {
    (0..<height).flatMap { row -> [UInt8] in
      let parts = samples[row * width * kind.channels..<(row + 1) * width * kind.channels]
      if kind.depth == 16 { return [0] + parts.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
      var line: [UInt8] = [0]
      var bits = 8
      for part in parts {
        if bits == 8 {
          line.append(0)
          bits = 0
        }
        bits += kind.depth
        line[line.count - 1] |= UInt8(part) << (8 - bits)
      }
      return line
    }
  }

  /// A zlib stream of uncompressed blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    var (first, second) = (1, 0)
    for byte in bytes {
      first = (first + Int(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return result + bigEndian(second << 16 | first)
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var sum: UInt32 = ~0
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return bigEndian(content.count) + body + bigEndian(Int(~sum))
  }
}

func bigEndian(_ number: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
}
