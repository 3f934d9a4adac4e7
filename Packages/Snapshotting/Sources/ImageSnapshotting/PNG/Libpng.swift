internal import CLibpng
internal import CPNGDecoder
internal import Foundation

/// A C target decodes, because libpng's errors must not jump across Swift's frames.
enum Libpng {
  static func pixels(of file: Data, width: Int, height: Int) throws(PNGError) -> [UInt8] {
    var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE))
    var isDecoded = false
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, initialized in
      isDecoded = file.withUnsafeBytes { bytes in
        cpng_decode(
          bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, UInt32(width), UInt32(height), buffer.baseAddress,
          &message) != 0
      }
      initialized = isDecoded ? width * height * 4 : 0
    }
    guard isDecoded else {
      let text = message.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw .damaged("libpng reports “\(text)”")
    }
    return pixels
  }

  /// Encodes an image, without alpha if all pixels are opaque.
  static func file(of picture: Image) throws(PNGError) -> Data {
    let isOpaque = picture.isOpaque
    let channels = isOpaque ? 3 : 4
    let rows = (picture.width * channels + 1) * picture.height
    // The maximum growth of incompressible data.
    var size = rows + rows / 128 + 65_536
    guard let memory = malloc(size) else { throw .notWritten(picture, "there is not enough memory") }
    defer { free(memory) }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = UInt32(picture.width)
    image.height = UInt32(picture.height)
    image.format = png_uint_32(isOpaque ? PNG_FORMAT_FLAG_COLOR : PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
    defer { png_image_free(&image) }
    let pixels = isOpaque ? picture.pixelsWithoutAlpha : picture.pixels
    guard png_image_write_to_memory(&image, memory, &size, 0, pixels, 0, nil) != 0 else {
      throw .notWritten(picture, message(image))
    }
    return Data(bytes: memory, count: size)
  }

  private static func message(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return text.isEmpty ? "libpng reports no reason" : "libpng reports “\(text)”"
    }
  }
}

extension Image {
  var isOpaque: Bool {
    pixels.withUnsafeBytes { bytes in
      var sum = UInt32(0xFF00_0000)
      var offset = 0
      while offset < bytes.count {
        sum &= UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        offset &+= 4
      }
      return sum == 0xFF00_0000
    }
  }

  fileprivate var pixelsWithoutAlpha: [UInt8] {
    let count = width * height
    return [UInt8](unsafeUninitializedCapacity: count * 3) { target, initialized in
      pixels.withUnsafeBufferPointer { source in
        guard var to = target.baseAddress, var from = source.baseAddress else { return }
        let end = from + count * 4
        while from < end {
          to[0] = from[0]
          to[1] = from[1]
          to[2] = from[2]
          to += 3
          from += 4
        }
      }
      initialized = count * 3
    }
  }
}
