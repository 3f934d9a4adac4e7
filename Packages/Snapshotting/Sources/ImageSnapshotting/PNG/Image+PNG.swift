public import Foundation

extension Image {
  /// Reads a PNG file: grey, colour or palette, of 1 to 16 bits, with alpha or without, interlaced or not.
  ///
  /// Pixels are what the file has, without any conversion of colours; samples of fewer than eight bits are spread to eight,
  /// which loses nothing, and samples of sixteen are rounded to the nearest of eight. That is what loses nothing when they were
  /// made from eight, and the same for everyone otherwise. Alpha is not multiplied in: the colour of a transparent pixel is kept.
  ///
  /// - Parameters:
  ///   - png: The file.
  ///   - scale: Pixels for each point; `nil` for what the file says, and 1 when it says nothing.
  ///   - limits: How much memory this may take beside the file and copies of its compressed pixels.
  /// - Throws: ``PNGError`` when it is not a PNG file, is cut off, damaged or too large. No file makes it trap, and the size
  ///   that the file says is held against the limit, and against the file's own bytes, before memory is taken.
  public init(png: Data, scale: Double? = nil, limits: PNGLimits = .standard) throws(PNGError) {
    let layout = try PNGLayout(of: png, limits: limits)
    let fileScale = layout.meanings.lazy.compactMap(\.scale).first
    let bare = PNGFile.file(png, layout, meanings: [])
    let pixels = try Libpng.pixels(of: bare, width: layout.width, height: layout.height)
    let colorSpace = ColorSpace(layout.meanings)
    self.init(
      trusted: layout.width, layout.height, pixels, scale: scale ?? fileScale ?? 1, colorSpace: colorSpace, file: bare)
  }

  /// The picture as a PNG file, with its scale and its colour space.
  ///
  /// Reading it gives an equal picture. The same picture gives the same bytes with the same version of libpng. One that was
  /// read from a file gives that file's compressed pixels, and takes no time.
  ///
  /// - Throws: ``PNGError`` when there is no memory for it.
  public func pngData() throws(PNGError) -> Data {
    let bare = if let file { file } else { try Libpng.file(of: self) }
    let layout = try PNGLayout(of: bare, limits: PNGLimits(bytes: .max))
    var meanings = colorSpace == .sRGB ? [.standard] : colorSpace.chunks
    if scale != 1 { meanings.append(PNGChunk(scale: scale)) }
    return PNGFile.file(bare, layout, meanings: meanings)
  }
}

/// PNG files from the parts of others.
enum PNGFile {
  /// The pixels of a file with other words on what they mean, and nothing else.
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
