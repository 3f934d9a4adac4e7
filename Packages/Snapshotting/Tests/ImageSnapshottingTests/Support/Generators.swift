import Foundation
import ImageSnapshotting
import TestSupport

extension Generator where Value == Image {
  /// Small images, often of few colours and often translucent.
  static func image(side: ClosedRange<Int> = 1...9) -> Generator {
    Generator { choices throws(GeneratorError) in
      let (width, height) = (try choices.draw(.int(in: side)), try choices.draw(.int(in: side)))
      return try choices.draw(.image(width: width, height: height))
    }
  }

  static func image(width: Int, height: Int) -> Generator {
    Generator<[Int]>.array(of: byte, count: width * height * 4...width * height * 4).map { bytes in
      guard let image = Image(width: width, height: height, pixels: bytes.map { UInt8($0) }) else {
        preconditionFailure("there are four bytes for each pixel")
      }
      return image
    }
  }

  private static var byte: Generator<Int> {
    .oneOf([.element(of: [0, 255]), .element(of: [0, 128, 254, 255]), .int(in: 0...255)])
  }
}

extension Generator where Value == PNGBuilder {
  static func file(_ kind: PNGBuilder.Kind) -> Generator {
    Generator { choices throws(GeneratorError) in
      let (width, height) = (try choices.draw(.int(in: 1...19)), try choices.draw(.int(in: 1...9)))
      let most = 1 << kind.depth - 1
      var file = PNGBuilder(width: width, height: height, kind: kind, samples: [])
      let count = width * height * kind.channels
      file.samples = try choices.draw(.array(of: .int(in: 0...most), count: count...count)).map { UInt16($0) }
      let isTransparent = try choices.draw(.element(of: [false, true]))
      if kind.code == 3 { file.setPalette(count: most + 1, isTransparent: isTransparent) }
      // The colour of the first pixel.
      if kind.code < 3, isTransparent {
        file.transparency = file.samples.prefix(kind.channels).flatMap { bigEndian(Int($0)).suffix(2) }
      }
      return file
    }
  }
}

extension PNGBuilder {
  /// Sets random colours, half of them translucent on request.
  fileprivate mutating func setPalette(count: Int, isTransparent: Bool) {
    for index in 0..<count {
      let green = index * 31 & 255
      palette.append([UInt8(index * 7 & 255), UInt8(green), UInt8(255 - index)])
    }
    if isTransparent { transparency = (0..<(count + 1) / 2).map { UInt8($0 * 3 & 255) } }
  }
}
