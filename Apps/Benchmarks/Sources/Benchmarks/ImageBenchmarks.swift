import BenchmarkHarness
import Foundation
import ImageSnapshotting
import Snapshotting

/// The benchmarks of picture comparison at 1920×1080 and of PNG files.
let images: [Benchmark] = [
  Benchmark(
    name: "equal pictures, 1920×1080", baseline: "memcmp, 1920×1080", budget: .ratio(atMost: 1 / 0.6),
    subject: .duration { iterations in
      for _ in 0..<iterations {
        if pictures.comparison.difference(from: pictures.photo, to: pictures.copy) != nil {
          fail("Cannot measure equal pictures: the comparison reports a difference. Run ImageSnapshottingTests.")
        }
      }
    }),
  Benchmark(
    name: "memcmp, 1920×1080",
    subject: .duration { iterations in
      for _ in 0..<iterations { blackHole(compareMemory(pictures.photo, pictures.copy)) }
    }),
  // The baseline is a busy loop of 40 ms, the time limit for two pictures that differ in all pixels.
  Benchmark(
    name: "perceptual, 1920×1080, all pixels different", baseline: "40 ms of work", budget: .ratio(atMost: 1),
    subject: .duration { iterations in
      for _ in 0..<iterations { blackHole(pictures.comparison.difference(from: pictures.photo, to: pictures.noise)) }
    }),
  Benchmark(
    name: "perceptual, 1920×1080, all pixels slightly lighter", baseline: "40 ms of work", budget: .ratio(atMost: 1),
    subject: .duration { iterations in
      for _ in 0..<iterations {
        if pictures.comparison.difference(from: pictures.photo, to: pictures.lighter) != nil {
          fail("Cannot measure lighter pictures: the comparison reports 1 in 255. Run ImageSnapshottingTests.")
        }
      }
    }),
  Benchmark(
    name: "40 ms of work",
    subject: .duration { iterations in
      for _ in 0..<iterations { spin(until: DispatchTime.now().uptimeNanoseconds + 40_000_000) }
    }),
  Benchmark(
    name: "perceptual, 1920×1080, a button different", baseline: "memcmp, 1920×1080",
    subject: .duration { iterations in
      for _ in 0..<iterations { blackHole(pictures.comparison.difference(from: pictures.photo, to: pictures.button)) }
    }),
  Benchmark(
    name: "PNG read, 640×480", baseline: "PNG written, 640×480",
    subject: .duration { iterations in
      for _ in 0..<iterations { blackHole(try? Image(png: pictures.smallFile)) }
    }),
  Benchmark(
    name: "PNG written, 640×480",
    subject: .duration { iterations in
      for _ in 0..<iterations { blackHole(try? pictures.small.pngData()) }
    }),
]

private let pictures = Pictures()

private struct Pictures: Sendable {
  let comparison = ImageComparison(perceptualPrecision: 0.98)
  /// Gradients with noise, similar to a photo.
  let photo: Image
  let copy: Image
  let lighter: Image
  let noise: Image
  let button: Image
  let small: Image
  let smallFile: Data

  init() {
    let photo = Self.photo(lighter: 0)
    self.photo = photo
    copy = Self.picture { $0 = photo.pixels[$1] }
    lighter = Self.photo(lighter: 1)
    var state: UInt64 = 1
    noise = Self.picture { byte, index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      byte = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 33)
    }
    button = photo.masked([Image.Rect(x: 900, y: 500, width: 120, height: 40)], with: .white)
    guard
      let small = Image(width: 640, height: 480, filledWith: .white)?
        .masked((0..<12).map { Image.Rect(x: 20, y: 20 + $0 * 35, width: 600 - $0 * 30, height: 14) }),
      let file = try? small.pngData()
    else { fail("Cannot measure PNG files: no picture of 640×480 pixels could be made. Run ImageSnapshottingTests.") }
    self.small = small
    smallFile = file
  }

  private static func photo(lighter: Int) -> Image {
    picture { byte, index in
      let (x, y) = (index / 4 % 1_920, index / 4 / 1_920)
      let grain = (x * 31 ^ y * 17) & 3
      byte = index % 4 == 3 ? 255 : UInt8(min(255, 20 + grain + lighter + (x * (index % 4 + 1) + y * 2) / 48 % 220))
    }
  }

  private static func picture(_ set: (inout UInt8, Int) -> Void) -> Image {
    var pixels = [UInt8](repeating: 0, count: 1_920 * 1_080 * 4)
    for index in pixels.indices { set(&pixels[index], index) }
    guard let image = Image(width: 1_920, height: 1_080, pixels: pixels) else {
      fail("Cannot measure pictures: none of 1920×1080 pixels could be made. Run ImageSnapshottingTests.")
    }
    return image
  }
}

private func compareMemory(_ one: Image, _ other: Image) -> Bool {
  one.pixels.withUnsafeBytes { one in
    other.pixels.withUnsafeBytes { other in
      guard let first = one.baseAddress, let second = other.baseAddress else { return false }
      return memcmp(first, second, one.count) == 0
    }
  }
}

private func spin(until end: UInt64) {
  while DispatchTime.now().uptimeNanoseconds < end {}
}
