// A client of `ImageSnapshotting`: it reads, changes and compares an image, and pulls a strategy back to other values.

import Foundation
import ImageSnapshotting
import Parallel
import Snapshotting

struct Page: Sendable {
  var picture: Parallel<Image>
}

let pages = Snapshotting<Image, Image>.image(precision: 0.999, perceptualPrecision: 0.98)
  .asyncPullback { (page: Page) in page.picture }

func difference(of file: Data, and picture: Image) throws(PNGError) -> String? {
  let reference = try Image(png: file, limits: PNGLimits(bytes: 1 << 20))
  var comparison = ImageComparison(perceptualPrecision: 0.98, ignoringAntialiasing: true, colorDistance: .yiq)
  comparison.masks = [Image.Rect(x: 0, y: 0, width: 10, height: 10)]
  guard let difference = comparison.difference(from: reference, to: picture) else { return nil }
  let marked = try difference.image.pngData()
  return "\(difference), \(difference.regions), \(marked.count)"
}

func edited(_ image: Image, in ground: Image) -> Image? {
  ground.masked([image.bounds], with: .clear).cropped(to: ground.bounds)
}

let isStrict = Diffing<Image>.image.diff
let corner: Image.Pixel? = Image(width: 1, height: 1, filledWith: .white, scale: 2)?[0, 0]
