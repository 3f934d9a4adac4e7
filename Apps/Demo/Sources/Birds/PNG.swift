internal import CLibpng
internal import Foundation
internal import Terminal

/// Reads PNG pictures with libpng.
enum PNG {
  /// Why data is no picture.
  struct Failure: Error, Equatable {
    let reason: String
  }

  /// More than any bird needs, and few enough for a hostile picture to do no harm.
  static let largestPixelCount = 16 << 20

  /// Decodes a picture to eight bits of red, green, blue and alpha for each pixel.
  static func decode(_ data: Data) -> Result<Picture, Failure> {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    return data.withUnsafeBytes { bytes in
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        return .failure(Failure(reason: message(image)))
      }
      let (width, height) = (Int(image.width), Int(image.height))
      guard width * height <= largestPixelCount else {
        return .failure(Failure(reason: "\(width)×\(height) pixels are too many"))
      }
      image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
      var pixels = [UInt8](repeating: 0, count: width * height * 4)
      guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else {
        return .failure(Failure(reason: message(image)))
      }
      guard let picture = Picture(width: width, height: height, pixels: pixels) else {
        return .failure(Failure(reason: "it has no pixels"))
      }
      return .success(picture)
    }
  }

  private static func message(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return text.isEmpty ? "libpng gives no reason" : text
    }
  }
}
