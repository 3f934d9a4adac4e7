extension Image {
  /// A pixel: eight bits of red, green, blue and alpha, not premultiplied.
  public struct Pixel: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// The opacity: 0 is transparent, 255 is opaque.
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    public static let black = Pixel(red: 0, green: 0, blue: 0)
    public static let white = Pixel(red: 255, green: 255, blue: 255)
    public static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)

    func store(in bytes: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
      bytes[offset] = red
      bytes[offset + 1] = green
      bytes[offset + 2] = blue
      bytes[offset + 3] = alpha
    }
  }
}
