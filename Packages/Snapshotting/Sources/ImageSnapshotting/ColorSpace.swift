internal import Foundation

/// What colours the numbers of a picture stand for, as its file says it.
///
/// Numbers are never converted: what a file has in a pixel is what ``Image/pixels`` has. A file that says nothing is taken
/// as sRGB, as browsers do. All else is kept as it is and written again.
public struct ColorSpace: Hashable, Sendable, CustomStringConvertible {
  /// The chunks of a PNG file that say it; none for sRGB.
  let chunks: [PNGChunk]

  /// For people: `sRGB`, or what the file says.
  public let description: String

  /// The colour space of the web, and of files that do not name one.
  public static let sRGB = ColorSpace(chunks: [], description: "sRGB")

  private init(chunks: [PNGChunk], description: String) {
    self.chunks = chunks
    self.description = description
  }

  /// Reads the chunks of a file, of which the most precise one counts.
  ///
  /// That is code points, then a profile, sRGB by its name, and gamma and primaries. Of several of a kind the first one counts; one
  /// that does not have the form of its kind counts as none.
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
    // What files have that mean sRGB and say it in the oldest words.
    let isPlain = gamma.map { $0.content.bigEndian == 45_455 } ?? true
    guard !isPlain || primaries.map({ $0.content != ColorSpace.standardPrimaries }) ?? false else {
      self = .sRGB
      return
    }
    let words = [
      gamma.map { "gamma \(Double($0.content.bigEndian) / 100_000)" }, primaries.map { _ in "custom primaries" },
    ]
    self = ColorSpace(
      chunks: [gamma, primaries].compactMap(\.self), description: words.compactMap(\.self).joined(separator: ", "))
  }

  /// A number by which people can tell two of the same name.
  var fingerprint: String {
    let sum = chunks.reduce(into: Data()) { $0 += $1.content }.withUnsafeBytes { CRC32.checksum($0) }
    return String(sum, radix: 16)
  }

  private static let standardPrimaries = Data(
    [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap { (number: UInt32) in
      withUnsafeBytes(of: number.bigEndian, Array.init)
    })
}

extension Data {
  /// The first four bytes as a number.
  var bigEndian: UInt32 { prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}

extension String {
  /// Without what a terminal would obey.
  fileprivate var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
  }
}
