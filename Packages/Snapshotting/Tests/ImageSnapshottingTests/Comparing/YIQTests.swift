import Foundation
import ImageSnapshotting
import Snapshotting
import Testing

@Suite("Colour distance in YIQ")
struct YIQTests {
  private func distance(_ one: Image.Pixel, _ other: Image.Pixel) throws -> Double {
    let images = try [one, other].map { try #require(Image(width: 1, height: 1, filledWith: $0)) }
    return ImageComparison(colorDistance: .yiq).difference(from: images[0], to: images[1])?.worstDistance ?? 0
  }

  private func grey(_ value: UInt8) -> Image.Pixel { Image.Pixel(red: value, green: value, blue: value) }

  @Test("black and white have the distance 100, and a difference of 10 percent of white has the distance 10")
  func scale() throws {
    // pixelmatch's maximum is a rounded number.
    #expect(abs(try distance(.black, .white) - 100) < 4)
    #expect(abs(try distance(grey(0), grey(26)) / distance(.black, .white) - 26.0 / 255) < 0.001)
    #expect(try distance(grey(7), grey(7)) == 0)
  }

  @Test("a difference of brightness has a larger distance than a difference of blue")
  func weights() throws {
    let blue = Image.Pixel(red: 100, green: 100, blue: 150)
    #expect(try distance(grey(100), grey(150)) > 1.5 * distance(grey(100), blue))
  }

  @Test("translucent pixels are compared over white and over black")
  func translucent() throws {
    let veil = { (value: UInt8) in Image.Pixel(red: value, green: value, blue: value, alpha: 128) }
    #expect(try distance(veil(255), .white) > 40 && distance(veil(0), .black) > 40)
  }

  @Test("a gamma change of text, which ΔE at 0.98 rejects, matches in YIQ at pixelmatch's threshold of 0.1")
  func gamma() throws {
    // Antialiased edges of black text on white, drawn with the gamma 1.0 and 1.1.
    let coverage = (0..<256).map { Double($0) / 255 }
    let rows = [1.0, 1.1].map { gamma in
      coverage.flatMap { value -> [UInt8] in
        let light = UInt8((pow(value, gamma) * 255).rounded())
        return [light, light, light, 255]
      }
    }
    let images = try rows.map { try #require(Image(width: 256, height: 1, pixels: $0)) }
    let deltaE = Diffing<Image>.image(precision: 0.999, perceptualPrecision: 0.98)
    let yiq = Diffing<Image>.image(precision: 0.999, perceptualPrecision: 0.9, colorDistance: .yiq)
    #expect(deltaE.diff(images[0], images[1]) != nil && yiq.diff(images[0], images[1]) == nil)
    #expect(yiq.diff(images[0], images[0].masked([Image.Rect(x: 200, y: 0, width: 9, height: 1)])) != nil)
  }

  @Test("the report names the measure")
  func report() throws {
    let images = try [Image.Pixel.black, .white].map { try #require(Image(width: 1, height: 1, filledWith: $0)) }
    let difference = ImageComparison(colorDistance: .yiq).difference(from: images[0], to: images[1])
    #expect(difference?.description.contains("the largest YIQ distance is") == true)
  }
}
