internal import CPNG
public import Foundation

extension Image {
  /// Reads a PNG file: grey, colour or palette, of 1 to 16 bits, with alpha or without, interlaced or not.
  ///
  /// libpng converts colours with another gamma to sRGB, and rounds samples of sixteen bits to eight. Alpha is not premultiplied. A colour
  /// profile is not applied; its name becomes the entry `color profile` of ``environment``.
  ///
  /// - Parameters:
  ///   - png: The bytes of the file.
  ///   - scale: The pixels in a point. Without it, the density of the file, or 1.
  ///   - maximumPixels: The limit for the size that the header declares, because a file of a few hundred bytes can declare a billion
  ///     pixels of four bytes.
  /// - Throws: ``PNGError`` if the file is not a PNG file, truncated, damaged or too large.
  public init(png: Data, scale: Double? = nil, maximumPixels: Int = 8_192 * 8_192) throws(PNGError) {
    let head = [UInt8](png.prefix(24))
    guard head.starts(with: PNGError.signature) else { throw PNGError(wrongSignatureOf: png) }
    guard head.count == 24 else { throw .truncated(count: png.count) }
    let number = { (offset: Int) in head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(16), number(20))
    guard width > 0, height > 0, width >> 31 == 0, height >> 31 == 0 else {
      throw .damaged(reason: "the size \(width)×\(height) is invalid")
    }
    guard Self.isPossible(width: width, height: height), width * height <= maximumPixels else {
      throw .tooLarge(width: width, height: height, maximumPixels: maximumPixels)
    }
    var image = cpng_image()
    (image.width, image.height) = (UInt32(width), UInt32(height))
    let ((outcome, pixels), message) = withMessage { message in
      var outcome = CPNG_DONE
      let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, initialized in
        image.pixels = buffer.baseAddress
        outcome = png.withUnsafeBytes { bytes in
          cpng_decode(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &image, message)
        }
        initialized = outcome == CPNG_DONE ? width * height * 4 : 0
      }
      return (outcome, pixels)
    }
    defer { free(image.environment) }
    switch outcome {
    case CPNG_DONE: break
    case CPNG_TRUNCATED: throw .truncated(count: png.count)
    default: throw .damaged(reason: message)
    }
    // An inch has 72 points.
    let density = image.density > 0 ? Double(image.density) * 0.0254 / 72 : nil
    self.init(trusted: width, height, pixels, scale: scale ?? density ?? 1)
    if let text = image.environment { environment = Self.environment(String(cString: text)) }
    let profile = withUnsafeBytes(of: image.profile) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if !profile.isEmpty { environment["color profile"] = profile.filter { !$0.isNewline } }
  }

  /// Reads the file of a snapshot, up to the maximum size of an image.
  package init(reference png: Data) throws(PNGError) {
    try self.init(png: png, maximumPixels: Self.largestArea)
  }

  /// Encodes the image as a PNG file in sRGB, with its scale and its environment.
  ///
  /// Equal images with equal environments give equal bytes with the same versions of libpng and zlib.
  ///
  /// - Throws: ``PNGError`` if memory is short.
  public func pngData() throws(PNGError) -> Data {
    let text = environment.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.split(whereSeparator: \.isNewline).joined(separator: " "))" }
      .joined(separator: "\n")
    var count = 0
    let (file, message) = pixels.withUnsafeBufferPointer { pixels in
      text.withCString { text in
        withMessage { message in
          var image = cpng_image()
          (image.width, image.height) = (UInt32(width), UInt32(height))
          if scale != 1 { image.density = UInt32((scale * 72 / 0.0254).rounded()) }
          image.pixels = UnsafeMutablePointer(mutating: pixels.baseAddress)
          if text.pointee != 0 { image.environment = UnsafeMutablePointer(mutating: text) }
          return cpng_encode(&image, &count, message)
        }
      }
    }
    guard let file else { throw .notWritten(width: width, height: height, reason: message) }
    return Data(bytesNoCopy: file, count: count, deallocator: .free)
  }

  private static func environment(_ text: String) -> [String: String] {
    let entries = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1].dropFirst())) : nil
    }
    return Dictionary(entries) { $1 }
  }
}

/// Calls a function with a buffer for libpng's message, and returns the message too.
private func withMessage<Result>(_ body: (UnsafeMutablePointer<CChar>) -> Result) -> (Result, String) {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CPNG_MESSAGE_SIZE)) { buffer in
    buffer.initialize(repeating: 0)
    guard let message = buffer.baseAddress else { preconditionFailure("the buffer has a size") }
    let result = body(message)
    return (result, "libpng reports “\(String(cString: message))”")
  }
}

/// The reason why a PNG file cannot be read or written.
public enum PNGError: Error, Hashable, Sendable {
  /// The file is empty or has another format.
  case notPNG(isEmpty: Bool)
  /// The file is the text that Git LFS stores in place of a file.
  case gitLFSPointer
  /// The file was changed as text, for example by a conversion of its line endings.
  case changedAsText
  /// The file ends too early.
  case truncated(count: Int)
  /// The file violates the format, or a checksum does not match.
  case damaged(reason: String)
  case tooLarge(width: Int, height: Int, maximumPixels: Int)
  case notWritten(width: Int, height: Int, reason: String)

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(wrongSignatureOf file: Data) {
    if file.starts(with: Data("version https://git-lfs.github.com/spec/".utf8)) {
      self = .gitLFSPointer
    } else if !file.isEmpty, Self.signature.starts(with: file) {
      self = .truncated(count: file.count)
    } else if file.prefix(8).firstRange(of: Data("PNG".utf8)) != nil {
      self = .changedAsText
    } else {
      self = .notPNG(isEmpty: file.isEmpty)
    }
  }
}

extension PNGError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notPNG(true): "The PNG file is empty. Restore the file, or delete it and run the test again."
    case .notPNG(false):
      "The file is not a PNG image: it does not start with the PNG signature. Convert it to PNG."
    case .gitLFSPointer:
      "The file is a Git LFS pointer and not a PNG image. Run 'git lfs pull', also in CI, and run the test again."
    case .changedAsText:
      """
      The PNG file is damaged: it was changed as text, for example by a conversion of line endings. Add the line \
      '*.png binary' to .gitattributes, and restore the file, or delete it and run the test again.
      """
    case .truncated(let count):
      "The PNG file is truncated: it ends after \(count) bytes. Restore the file, or delete it and run the test again."
    case .damaged(let reason):
      "The PNG file is damaged: \(reason). Restore the file, or delete it and run the test again."
    case .tooLarge(let width, let height, let maximum):
      """
      The PNG image is too large: it has \(width)×\(height) pixels, and the limit is \(maximum) pixels. If you trust \
      the file, read it with a higher limit.
      """
    case .notWritten(let width, let height, let reason):
      "Cannot write an image of \(width)×\(height) pixels as PNG: \(reason). Use a smaller image."
    }
  }
}
