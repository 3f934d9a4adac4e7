import Foundation

/// ICC profiles: the profile of sRGB, and profiles with one error.
struct ICCBuilder {
  var space = "RGB "
  var connection = "XYZ "
  var primaries: [(tag: String, xyz: [Double])] = [
    ("rXYZ", [0.43607, 0.22249, 0.01392]), ("gXYZ", [0.38515, 0.71687, 0.09708]), ("bXYZ", [0.14307, 0.06061, 0.7141]),
  ]
  var curves = ["rTRC", "gTRC", "bTRC"]
  var curve = parametric
  var size: Int?
  var tagCount: Int?
  /// Added to the places that the header declares for tags.
  var moves = 0

  static let sRGB = ICCBuilder()
  static let table = sRGB.with {
    $0.curve =
      Array("curv\0\0\0\0".utf8) + bigEndian(1_024)
      + (0..<1_024).flatMap { index -> [UInt8] in
        let sample = Double(index) / 1_023
        let light = sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
        let number = Int((light * 65_535).rounded())
        return [UInt8(number >> 8), UInt8(number & 0xFF)]
      }
  }
  static let linear = Array("curv\0\0\0\0".utf8) + bigEndian(2) + [0, 0, 255, 255]
  private static let parametric =
    Array("para\0\0\0\0".utf8) + [0, 3, 0, 0] + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)

  static func gamma(_ number: Double) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + bigEndian(256)
      + (0..<256).flatMap { index -> [UInt8] in
        let value = Int((pow(Double(index) / 255, number) * 65_535).rounded())
        return [UInt8(value >> 8), UInt8(value & 0xFF)]
      }
  }

  func with(_ change: (inout ICCBuilder) -> Void) -> ICCBuilder {
    var copy = self
    change(&copy)
    return copy
  }

  func chunk(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0] + PNGBuilder.stored(bytes) }

  private var bytes: [UInt8] {
    let tags =
      primaries.map { ($0.tag, Array("XYZ \0\0\0\0".utf8) + $0.xyz.flatMap(Self.fixed)) } + curves.map { ($0, curve) }
    var table: [UInt8] = []
    var contents: [UInt8] = []
    for (name, content) in tags {
      table += Array(name.utf8) + bigEndian(132 + tags.count * 12 + contents.count + moves) + bigEndian(content.count)
      contents += content
    }
    let all = bigEndian(tagCount ?? tags.count) + table + contents
    let kinds = Array("mntr\(space)\(connection)".utf8)
    let header = bigEndian(size ?? all.count + 128) + Array(repeating: 0, count: 8) + kinds
    return header + Array(repeating: 0, count: 128 - header.count) + all
  }

  private static func fixed(_ number: Double) -> [UInt8] { bigEndian(Int((number * 65_536).rounded())) }
}
