public import Foundation

extension Image {
  /// Reads a PNG file: grey, colour or palette, of 1 to 16 bits, with alpha or without, interlaced or not.
  ///
  /// Colours are not converted. Samples of fewer than eight bits are expanded to eight bits. Samples of sixteen bits
  /// are rounded to the nearest eight, which restores samples that were widened from eight. Alpha is not premultiplied,
  /// so transparent pixels keep their colour. A `scale` of `nil` is the density of the file, or 1 without one.
  ///
  /// - Throws: ``PNGError`` if the file is not a PNG file, truncated, damaged or too large. Invalid files never trap.
  ///   The size is checked before memory is allocated.
  public init(png: Data, scale: Double? = nil, limits: PNGLimits = .standard) throws(PNGError) {
    let layout = try PNGLayout(of: png, limits: limits)
    let fileScale = layout.meanings.lazy.compactMap(\.scale).first
    let bare = PNGFile.file(png, layout, meanings: [])
    let pixels = try Libpng.pixels(of: bare, width: layout.width, height: layout.height)
    let colorSpace = ColorSpace(layout.meanings)
    self.init(
      trusted: layout.width, layout.height, pixels, scale: scale ?? fileScale ?? 1, colorSpace: colorSpace, file: bare)
  }

  /// Reads the file of a snapshot, up to the maximum size of an image.
  package init(reference png: Data) throws(PNGError) {
    try self.init(png: png, limits: PNGLimits(bytes: 4 * Self.largestArea))
  }

  /// Encodes the image as a PNG file, with its scale and its colour space.
  ///
  /// Decoding the file gives an equal image. Equal images give equal bytes with the same version of libpng. The compressed pixels of a
  /// decoded file are reused without cost.
  ///
  /// - Throws: ``PNGError`` if memory is short.
  public func pngData() throws(PNGError) -> Data {
    let bare = if let file { file } else { try Libpng.file(of: self) }
    let layout = try PNGLayout(of: bare, limits: PNGLimits(bytes: .max))
    var meanings = colorSpace == .sRGB ? [.standard] : colorSpace.chunks
    if scale != 1 { meanings.append(PNGChunk(scale: scale)) }
    return PNGFile.file(bare, layout, meanings: meanings)
  }
}

enum PNGFile {
  static func file(_ file: Data, _ layout: PNGLayout, meanings: [PNGChunk]) -> Data {
    let head = 0..<PNGLayout.headLength
    if meanings.isEmpty, layout.pieces == [head.upperBound..<file.count] { return file }
    var result = Data(capacity: file.count + meanings.reduce(0) { $0 + $1.content.count + 12 })
    for range in [head] + layout.pieces {
      let start = file.startIndex + range.lowerBound
      result += file[start..<file.startIndex + range.upperBound]
      if range == head { for chunk in meanings { result += chunk.bytes } }
    }
    return result
  }
}
