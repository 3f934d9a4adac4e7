import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

/// The places of elements in pages that scroll, zoom, rotate and nest.
@Suite("The places of elements", .timeLimit(.minutes(5)))
struct PlaceTests {
  private let blue = Image.Pixel(red: 0, green: 0, blue: 255)
  private let cover = Image.Pixel(red: 255, green: 0, blue: 255)
  /// The element in all pages: a blue box of 40×30 pixels.
  private static let box = "<div id=a style='width:40px;height:30px;background:#00f'></div>"

  private static let closed =
    "<div class=h></div><script>document.querySelector('.h').attachShadow({ mode: 'closed' }).innerHTML = `\(box)`</script>"

  private static let pages: [(name: String, html: String, size: [Int])] = [
    ("plain", box, [40, 30]),
    ("far down", "<p style='height:3000px'>\(box)", [40, 30]),
    ("fractional", "<p style='margin:10.4px 7.7px'>\(box)", [40, 30]),
    (
      "scrolled out of sight in a box",
      "<div style='height:50px;width:80px;overflow:auto'><p style='height:300px;width:9px'>\(box)<p style='height:300px'></div>",
      [40, 30]
    ),
    ("zoomed twice", "<div style='zoom:1.5'><div style='zoom:2'>\(box)</div></div>", [120, 90]),
    ("turned", "<div style='margin:50px;transform:rotate(90deg);width:40px'>\(box)</div>", [30, 40]),
    ("in a closed tree", closed, [40, 30]),
    ("in a dialog", "<dialog>\(box)</dialog><script>document.querySelector('dialog').showModal()</script>", [40, 30]),
    ("right to left", "<html dir=rtl><p style='width:2000px;height:1px'>\(box)", [40, 30]),
    ("of which half is left of the page", "<div style='position:absolute;left:-20px'>\(box)</div>", [20, 30]),
    (
      "fixed in a box that cuts off",
      "<div style='overflow:hidden;width:5px;height:5px'><div style='position:fixed;top:9px'>\(box)</div></div>",
      [40, 30]
    ),
    (
      "fixed at the bottom of a window that shows a part of the page",
      "<p style='height:900px'><div style='position:fixed;bottom:0'>\(box)</div>", [40, 30]
    ),
    (
      "in HTML in a drawing of other units",
      """
      <svg viewBox='0 0 100 50' width=400 height=200><foreignObject width=100 height=50>
      <div style='margin-left:60px'>\(box)</div></foreignObject></svg>
      """, [160, 120]
    ),
  ]

  @Test("an image of an element has exactly its box", arguments: pages.map(\.name))
  func element(_ name: String) async throws {
    let (_, html, size) = try #require(Self.pages.first { $0.name == name })
    var page = WebPage(html: html, viewport: .init(width: 320, height: 240))
    page.area = .element("#a")
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect([picture.width, picture.height] == size)
    #expect(colors(picture) == [blue])
  }

  @Test(
    "an image of an element of a mobile page has the size of its box in the page, whatever the page's zoom",
    arguments: [
      "", "<meta name=viewport content='width=480'>",
      "<meta name=viewport content='width=device-width,initial-scale=2'>",
    ])
  func mobile(_ viewport: String) async throws {
    var page = WebPage(
      html: "\(viewport)<p style='height:900px'>\(Self.box)", viewport: .init(width: 240, height: 160, scale: 2))
    (page.isMobile, page.area) = (true, .element("#a"))
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect([picture.width, picture.height] == [80, 60] && colors(picture) == [blue])
  }

  @Test("a mask covers exactly the visible part of its element", arguments: pages.map(\.name))
  func mask(_ name: String) async throws {
    let (_, html, size) = try #require(Self.pages.first { $0.name == name })
    // A scale other than 1 shows rounding errors.
    for scale in name == "fractional" ? [1.0, 2] : [1] {
      var page = WebPage(html: html, viewport: .init(width: 320, height: 240, scale: scale))
      (page.area, page.masks) = (.fullPage, ["#a"])
      let picture = try Image(png: try await Browser.shared.png(of: page))
      #expect(!colors(picture).contains(blue), "at \(scale)")
      // An image of the whole page does not show an element that is scrolled out of sight.
      let shown = name.contains("scrolled") ? 0 : size[0] * size[1] * Int(scale * scale)
      let covered = count(cover, picture)
      #expect(
        shown <= covered && covered <= shown + 4 * (size[0] + size[1]) * Int(scale),
        "at \(scale): \(covered) for \(shown)")
    }
  }

  @Test("a mask of an element without a box is an error")
  func maskWithoutBox() async {
    var page = WebPage(html: "<span style='display:contents'>17:42</span>")
    page.masks = ["span"]
    let error = await failure { try await Browser.shared.png(of: page) }
    #expect(error?.description.contains("A mask cannot cover <span> without a box") == true)
  }

  @Test(
    "an invisible element is an error with the reason",
    arguments: [
      ("<div style='display:none'><p id=a>x</div>", "has no box"),
      ("<div id=a style='display:contents'></div>", "has no box"),
      ("<div id=a></div>", "at least 1 CSS pixel"),
      ("<div style='position:absolute;top:-100px'>\(box)</div>", "is outside the page"),
      ("<p>", "the element `#a`: no element of the page matches"),
      ("<template><p id=a></template>", "the element `#a`: no element of the page matches"),
    ])
  func missing(_ html: String, _ words: String) async throws {
    var page = WebPage(html: html)
    page.area = .element("#a")
    do throws(WebError) {
      _ = try await Browser.shared.png(of: page)
      Issue.record("There is a picture.")
    } catch {
      #expect(error.kind == .notFound && error.description.contains(words), "\(error)")
    }
  }

  private func colors(_ image: Image) -> Set<Image.Pixel> {
    var colors: Set<Image.Pixel> = []
    image.pixels.withUnsafeBytes { bytes in
      var last: UInt32?
      for (index, pixel) in bytes.bindMemory(to: UInt32.self).enumerated() where pixel != last {
        last = pixel
        if let color = image[index % image.width, index / image.width] { colors.insert(color) }
      }
    }
    return colors
  }

  private func count(_ color: Image.Pixel, _ image: Image) -> Int {
    image.pixels.withUnsafeBytes { bytes in
      let wanted = withUnsafeBytes(of: (color.red, color.green, color.blue, color.alpha)) {
        $0.loadUnaligned(as: UInt32.self)
      }
      return bytes.bindMemory(to: UInt32.self).count { $0 == wanted }
    }
  }
}
