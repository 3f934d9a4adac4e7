import Foundation
import ImageSnapshotting
import Snapshotting
import Testing

@Suite("The image strategy")
struct StrategyTests {
  @Test("the strategy for images writes PNG files that are read as equal images")
  func roundTrip() throws {
    let image = try #require(Image(width: 3, height: 2, filledWith: Image.Pixel(red: 1, green: 2, blue: 3, alpha: 4)))
    let strategy = Snapshotting<Image, Image>.image
    #expect(strategy.pathExtension == "png")
    #expect(try strategy.diffing.fromData(strategy.diffing.toData(image)) == image)
  }

  @Test("the message has the number of different pixels, their places and the distance, and an image marks them")
  func message() throws {
    let white = try #require(Image(width: 100, height: 80, filledWith: .white))
    let changed = white.masked([Image.Rect(x: 10, y: 20, width: 4, height: 2)])
    let (message, attachments) = try #require(Diffing<Image>.image.diff(white, changed))
    #expect(
      message
        == "8 of 8000 pixels differ (0.1 %); the largest ΔE is 100 at (10, 20). They are within 4×2 at (10, 20).")
    #expect(attachments.map(\.name) == ["difference.png"])
    let picture = try Image(png: #require(attachments.first).data)
    #expect(picture[10, 20] == Image.Pixel(red: 230, green: 0, blue: 40))
    #expect(picture[99, 79] == .white)
  }
}
