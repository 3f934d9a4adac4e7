/// Why a PNG file cannot be read, or a picture not be written to one, and what to do.
public struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of reasons, of which there may be more one day.
  public struct Kind: Hashable, Sendable {
    private let name: String
    /// The first bytes are not those of a PNG file.
    public static let notPNG = Kind(name: "not PNG")
    /// The file ends before its end.
    public static let truncated = Kind(name: "truncated")
    /// Something in the file contradicts the format, or its checksums.
    public static let damaged = Kind(name: "damaged")
    /// The picture has more pixels than the limits allow.
    public static let tooLarge = Kind(name: "too large")
    /// There was no memory to write the file to.
    public static let notWritten = Kind(name: "not written")
  }

  /// The kind of reason.
  public let kind: Kind

  /// What is wrong, and what to do.
  public let description: String
}

extension PNGError {
  static func notPNG(_ count: Int) -> PNGError {
    PNGError(
      kind: .notPNG,
      description: count == 0
        ? "The PNG file is empty. Restore the file, or record it again."
        : "The file is not a PNG picture: it does not start with the PNG signature. Convert it to PNG."
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
      description: "Cannot write a picture of \(image) pixels as PNG: \(reason). Use a smaller picture.")
  }
}

/// How much memory reading a file may take.
///
/// A file of a few hundred bytes can say that it has a billion pixels. What it says is held against the limit before any
/// memory is taken, and so is whether it has enough bytes to hold them.
public struct PNGLimits: Hashable, Sendable {
  /// The maximum size of the pixels in bytes; a pixel has four.
  public var bytes: Int

  /// A limit.
  ///
  /// - Parameter bytes: The most bytes that the pixels may take; see ``bytes``.
  public init(bytes: Int) {
    self.bytes = bytes
  }

  /// 256 megabytes: a picture of 8192×8192 pixels.
  public static let standard = PNGLimits(bytes: 256 << 20)
}
