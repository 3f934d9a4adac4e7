#if canImport(UIKit) || canImport(AppKit)
  internal import Foundation
  internal import Snapshotting

  func viewImage(_ png: Data, scale: Double?, _ context: SnapshotContext<Image>) -> Image {
    do throws(PNGError) {
      return try Image(png: png, scale: scale)
    } catch {
      context.fail("Cannot capture the view: it rendered no image. If its size is zero, give it a frame. \(error)")
      return Image(trusted: 1, 1, [0, 0, 0, 0], scale: 1, colorSpace: .sRGB, file: nil)
    }
  }
#endif
