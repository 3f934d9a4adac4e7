public struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Later versions may have more kinds.
  public struct Kind: Hashable, Sendable {
    private let name: String
    public static let notPNG = Kind(name: "not PNG")
    public static let truncated = Kind(name: "truncated")
    /// The file violates the format, or a checksum does not match.
    public static let damaged = Kind(name: "damaged")
    public static let tooLarge = Kind(name: "too large")
    public static let notWritten = Kind(name: "not written")
  }

  public let kind: Kind

  public let description: String
}

extension PNGError {
  static func notPNG(_ count: Int) -> PNGError {
    PNGError(
      kind: .notPNG,
      description: count == 0
        ? "The PNG file is empty. Restore the file, or record it again."
        : "The file is not a PNG image: it does not start with the PNG signature. Convert it to PNG."
    )
  }

  static func truncated(_ reason: String) -> PNGError {
    PNGError(
      kind: .truncated, description: "The PNG file is truncated: \(reason). Restore the file, or record it again.")
  }

  static func damaged(_ reason: String) -> PNGError {
    PNGError(
      kind: .damaged, description: "The PNG file is damaged: \(reason). Restore the file, or record it again.")
  }

  static func tooLarge(_ width: Int, _ height: Int, _ limits: PNGLimits) -> PNGError {
    PNGError(
      kind: .tooLarge,
      description: """
        The PNG image is too large: it has \(width)×\(height) pixels of 4 bytes each, and the limit is \
        \(limits.bytes) bytes. If you trust the file, read it with a higher limit.
        """)
  }

  static func notWritten(_ image: Image, _ reason: String) -> PNGError {
    PNGError(
      kind: .notWritten,
      description: "Cannot write an image of \(image) pixels as PNG: \(reason). Use a smaller image.")
  }
}

/// The limit for the memory of a decoded file.
///
/// A file of a few hundred bytes can claim a billion pixels. The claimed size is checked against the limit and against the length of the
/// compressed data before memory is allocated.
public struct PNGLimits: Hashable, Sendable {
  /// The maximum size of the pixels in bytes; a pixel has four.
  public var bytes: Int

  public init(bytes: Int) {
    self.bytes = bytes
  }

  /// 256 megabytes: an image of 8192×8192 pixels.
  public static let standard = PNGLimits(bytes: 256 << 20)
}
