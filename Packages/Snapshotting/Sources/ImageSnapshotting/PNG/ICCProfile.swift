internal import CLibpng
internal import Foundation

/// The name of the profile is not used: “Linear sRGB” is not sRGB.
struct ICCProfile {
  private let bytes: [UInt8]

  /// The maximum size of a profile in bytes.
  ///
  /// The profile of sRGB has about 3,000.
  private static let limit = 1 << 20
  /// The primaries of sRGB in the colour space of profiles, which has the white point D50.
  private static let primaries: [(tag: String, xyz: [Double])] = [
    ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
  ]

  init?(chunk content: Data) {
    guard let end = content.firstIndex(of: 0), (1...79).contains(end - content.startIndex),
      content.dropFirst(end - content.startIndex + 1).first == 0
    else { return nil }
    let compressed = Data(content[(end + 2)...])
    // The first four bytes of a profile are its size.
    guard let head = Self.inflated(compressed, atMost: 128), head.count == 128 else { return nil }
    let size = Int(head.bigEndian())
    guard (132...Self.limit).contains(size), let bytes = Self.inflated(compressed, atMost: size), bytes.count == size
    else { return nil }
    self.bytes = bytes
  }

  var isSRGB: Bool {
    guard text(at: 16) == "RGB ", text(at: 20) == "XYZ " else { return false }
    let hasPrimaries = Self.primaries.allSatisfy { name, expected in
      guard let tag = tag(name), tag.count >= 20, text(at: tag.lowerBound) == "XYZ " else { return false }
      return expected.enumerated().allSatisfy { abs(fixed(at: tag.lowerBound + 8 + $0 * 4) - $1) < 0.002 }
    }
    return hasPrimaries && ["rTRC", "gTRC", "bTRC"].allSatisfy { tag($0).map(isStandardCurve) ?? false }
  }

  private func isStandardCurve(_ tag: Range<Int>) -> Bool {
    stride(from: 0.0, through: 1, by: 0.1).allSatisfy { sample in
      guard let value = curve(tag, at: sample) else { return false }
      return abs(value - ColorSpace.light(ofStandard: sample)) < 0.002
    }
  }

  /// The value of a curve at a sample; `nil` for a type that profiles of sRGB do not use.
  private func curve(_ tag: Range<Int>, at sample: Double) -> Double? {
    let start = tag.lowerBound
    switch tag.count >= 12 ? text(at: start) : "" {
    case "para":
      guard bytes.bigEndian(at: start + 8) >> 16 == 3, tag.count >= 32 else { return nil }
      let parts = (0..<5).map { fixed(at: start + 12 + $0 * 4) }
      return sample >= parts[4] ? pow(parts[1] * sample + parts[2], parts[0]) : parts[3] * sample
    case "curv":
      let count = Int(bytes.bigEndian(at: start + 8))
      guard count > 1, tag.count - 12 >= count * 2 else { return nil }
      let place = sample * Double(count - 1)
      let (low, high) = (Int(place), min(Int(place) + 1, count - 1))
      let value = { (index: Int) in Double(bytes.bigEndian(at: start + 12 + index * 2, count: 2)) / 65_535 }
      return value(low) + (value(high) - value(low)) * (place - Double(low))
    default: return nil
    }
  }

  private func tag(_ name: String) -> Range<Int>? {
    let count = min(Int(bytes.bigEndian(at: 128)), (bytes.count - 132) / 12)
    for index in 0..<count where text(at: 132 + index * 12) == name {
      let (start, length) = (Int(bytes.bigEndian(at: 136 + index * 12)), Int(bytes.bigEndian(at: 140 + index * 12)))
      return start <= bytes.count && length <= bytes.count - start ? start..<start + length : nil
    }
    return nil
  }

  private func text(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }

  private func fixed(at offset: Int) -> Double { Double(Int32(bitPattern: bytes.bigEndian(at: offset))) / 65_536 }

  /// The first bytes of compressed data; `nil` if the data is damaged.
  private static func inflated(_ data: Data, atMost count: Int) -> [UInt8]? {
    var size = uLongf(count)
    var result = [UInt8](repeating: 0, count: count)
    let code = data.withUnsafeBytes { bytes in
      uncompress(&result, &size, bytes.bindMemory(to: UInt8.self).baseAddress, uLong(bytes.count))
    }
    // More data may follow.
    guard code == Z_OK || code == Z_BUF_ERROR && size == count else { return nil }
    return Array(result.prefix(Int(size)))
  }
}
