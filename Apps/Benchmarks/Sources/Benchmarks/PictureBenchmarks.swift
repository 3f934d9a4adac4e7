import BenchmarkHarness
import Foundation
import ImageSnapshotting
import WebSnapshotting

/// The benchmarks of picture comparison at 1920×1080, and of a picture of a web page.
///
/// A comparison always reads a reference file, which the perceptual comparison of entirely different pictures, its worst case, is
/// measured against.
let pictures: [Benchmark] = [
  .ratio("equal pictures, 1920×1080", atMost: 1.67, to: "memcmp") {
    guard comparison.difference(from: photo, to: copy) == nil else { throw Failure(description: "They differ.") }
    return 1
  } baseline: {
    guard memcmp(photo.pixels, copy.pixels, photo.pixels.count) == 0 else { throw Failure(description: "They differ.") }
    return 1
  },
  .ratio("perceptual, 1920×1080, all pixels different", atMost: 30, to: "reading the PNG file") {
    guard comparison.difference(from: photo, to: noise) != nil else { throw Failure(description: "They are equal.") }
    return 1
  } baseline: {
    try readPhoto()
  },
  .ratio("web page: warm image of a text", atMost: 0.2, to: "the first image of a browser") {
    blackHole(try await Browser.shared.png(of: page))
    return 1
  } baseline: {
    let browser = Browser()
    blackHole(try await browser.png(of: page))
    await browser.close()
    return 1
  },
]

private let comparison = ImageComparison(perceptualPrecision: 0.98)

private let page = WebPage(html: "<h1>Welcome to Point-Free!</h1><p>A page.</p>")

private let photo = makePhoto()
private let copy = makePhoto()
private let noise = picture { index in
  UInt8(truncatingIfNeeded: UInt64(index) &* 6_364_136_223_846_793_005 >> 33)
}
private let photoFile = Result { try photo.pngData() }

private func readPhoto() throws -> Int {
  blackHole(try Image(png: photoFile.get()))
  return 1
}

/// Returns gradients with noise, similar to a photo.
private func makePhoto() -> Image {
  picture { index in
    let (x, y) = (index / 4 % 1_920, index / 4 / 1_920)
    let grain = (x * 31 ^ y * 17) & 3
    return UInt8(min(255, 20 + grain + (x * (index % 4 + 1) + y * 2) / 48 % 220))
  }
}

/// Returns an opaque picture of 1920×1080 pixels.
private func picture(_ byte: (_ index: Int) -> UInt8) -> Image {
  var pixels = [UInt8](repeating: 255, count: 1_920 * 1_080 * 4)
  for index in pixels.indices where index % 4 != 3 { pixels[index] = byte(index) }
  guard let image = Image(width: 1_920, height: 1_080, pixels: pixels) else {
    preconditionFailure("Cannot make a picture of 1920×1080 pixels.")
  }
  return image
}
