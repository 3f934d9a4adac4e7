internal import Foundation

/// The colour space of an image, as its file describes it.
///
/// Pixels are never converted. As in browsers, a file without a description has the colour space sRGB. Other descriptions are kept and
/// written again.
public struct ColorSpace: Hashable, Sendable, CustomStringConvertible {
  let chunks: [PNGChunk]

  /// The name of the colour space: `sRGB`, or the description of the file.
  public let description: String

  public static let sRGB = ColorSpace(chunks: [], description: "sRGB")

  private init(chunks: [PNGChunk], description: String) {
    self.chunks = chunks
    self.description = description
  }

  /// The most precise description counts.
  ///
  /// The order is: code points, a profile, sRGB by its name, and gamma and primaries. The first valid chunk of a type
  /// counts.
  init(_ chunks: [PNGChunk]) {
    func first(_ type: PNGChunk.Kind) -> PNGChunk? { chunks.first { $0.kind == type && $0.isMeaningful } }
    if let points = first(.codePoints) {
      // Primaries and transfer function of sRGB, in full range.
      let isSRGB = Array(points.content) == [1, 13, 0, 1]
      let numbers = points.content.map { "\($0)" }.joined(separator: "-")
      self = isSRGB ? .sRGB : ColorSpace(chunks: [points], description: "CICP \(numbers)")
    } else if let profile = first(.profile) {
      let name = String(decoding: profile.content.prefix(79).prefix { $0 != 0 }, as: UTF8.self)
      let isSRGB = ICCProfile(chunk: profile.content)?.isSRGB == true
      self = isSRGB ? .sRGB : ColorSpace(chunks: [profile], description: "ICC profile “\(name.printable)”")
    } else if first(.standard) != nil {
      self = .sRGB
    } else {
      self.init(gamma: first(.gamma), primaries: first(.primaries))
    }
  }

  private init(gamma: PNGChunk?, primaries: PNGChunk?) {
    // Old files describe sRGB by its gamma and primaries.
    let isPlain = gamma.map { $0.content.bigEndian() == 45_455 } ?? true
    guard !isPlain || primaries.map({ $0.content != ColorSpace.standardPrimaries }) ?? false else {
      self = .sRGB
      return
    }
    let words = [
      gamma.map { "gamma \(Double($0.content.bigEndian()) / 100_000)" }, primaries.map { _ in "custom primaries" },
    ]
    self = ColorSpace(
      chunks: [gamma, primaries].compactMap(\.self), description: words.compactMap(\.self).joined(separator: ", "))
  }

  var fingerprint: String {
    let sum = chunks.reduce(into: Data()) { $0 += $1.content }.withUnsafeBytes { CRC32.checksum($0) }
    return String(sum, radix: 16)
  }

  static func light(ofStandard sample: Double) -> Double {
    sample <= 0.040_45 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
  }

  private static let standardPrimaries = Data(
    [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap { (number: UInt32) in
      withUnsafeBytes(of: number.bigEndian, Array.init)
    })
}

extension String {
  fileprivate var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
  }
}
