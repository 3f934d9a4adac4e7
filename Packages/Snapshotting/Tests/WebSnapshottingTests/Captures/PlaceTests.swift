import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

/// The places of elements in pages that scroll, zoom, rotate and nest.
@Suite("The places of elements", .timeLimit(.minutes(2)))
struct PlaceTests {
  private let blue = Image.Pixel(red: 0, green: 0, blue: 255)
  private let cover = Image.Pixel(red: 255, green: 0, blue: 255)
  /// The element in all pages: a blue box of 40×30 pixels.
  private static let box = "<div id=a style='width:40px;height:30px;background:#00f'></div>"

  /// A box around the element with a border of the same width.
  private static let bordered = "overflow:hidden;width:40px;border-left:40px solid white"

  private static let pages: [(name: String, html: String, size: [Int])] = [
    ("plain", box, [40, 30]),
    ("far down", "<p style='height:3000px'>\(box)", [40, 30]),
    ("fractional", "<p style='margin:10.4px 7.7px'>\(box)", [40, 30]),
    (
      "scrolled out of sight in a box",
      "<div style='height:50px;width:80px;overflow:auto'><p style='height:300px;width:9px'>\(box)<p style='height:300px'></div>",
      [40, 30]
    ),
    ("zoomed", "<html style='zoom:2'>\(box)", [80, 60]),
    ("zoomed twice", "<div style='zoom:1.5'><div style='zoom:2'>\(box)</div></div>", [120, 90]),
    ("scaled", "<div style='transform:scale(2);transform-origin:0 0'>\(box)</div>", [80, 60]),
    ("turned", "<div style='margin:50px;transform:rotate(90deg);width:40px'>\(box)</div>", [30, 40]),
    ("in an open tree", "<div><template shadowrootmode=open>\(box)</template></div>", [40, 30]),
    ("in a closed tree", "<div><template shadowrootmode=closed>\(box)</template></div>", [40, 30]),
    ("in a frame", "<p>x<iframe style='border:7px solid;padding:3px' srcdoc=\"\(box)\"></iframe>", [40, 30]),
    (
      "in a frame that is scaled and scrolled",
      "<html style='zoom:2'><iframe style='transform:scale(.5)' srcdoc=\"<p style='height:900px'>\(box)\"></iframe>",
      [40, 30]
    ),
    (
      "in a closed tree in a frame",
      "<iframe srcdoc=\"<div><template shadowrootmode=closed>\(box)</template></div>\"></iframe>", [40, 30]
    ),
    ("in a dialog", "<dialog>\(box)</dialog><script>document.querySelector('dialog').showModal()</script>", [40, 30]),
    (
      "in a popover", "<div popover>\(box)</div><script>document.querySelector('div').showPopover()</script>",
      [40, 30]
    ),
    (
      "under rules that are important",
      "<style>* { display: block !important; opacity: 1 !important; inset: auto !important }</style>\(box)", [40, 30]
    ),
    (
      "in a dialog out of a box that cuts off",
      """
      <div style='overflow:hidden;width:5px;height:5px;contain:paint'><dialog>\(box)</dialog></div>
      <script>document.querySelector('dialog').showModal()</script>
      """, [40, 30]
    ),
    ("of which the right is cut off", "<div style='width:15px;overflow:hidden'>\(box)</div>", [15, 30]),
    (
      "without a box of its own",
      "<span id=a style='display:contents'><div style='width:40px;height:30px;background:#00f'></div></span>", [40, 30]
    ),
    ("in what has no box", "<div style='display:contents'>\(box)</div>", [40, 30]),
    ("right to left", "<html dir=rtl><p style='width:2000px;height:1px'>\(box)", [40, 30]),
    (
      "of which half is cut off", "<div style='height:15px;overflow:hidden'>\(box)</div>", [40, 15]
    ),
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
      "as high as the window",
      "<div id=a style='width:40px;height:100vh;background:#00f'></div><p style='height:900px'>", [40, 240]
    ),
    (
      "below what is as high as the window", "<div style='height:100vh'></div>\(box)<p style='height:900px'>", [40, 30]
    ),
    (
      "sticking to the bottom of a window that shows a part of the page",
      "<p style='height:900px'><div style='position:sticky;bottom:0'>\(box)</div><p style='height:900px'>", [40, 30]
    ),
    (
      "in HTML in a drawing of other units",
      """
      <svg viewBox='0 0 100 50' width=400 height=200><foreignObject width=100 height=50>
      <div style='margin-left:60px'>\(box)</div></foreignObject></svg>
      """, [160, 120]
    ),
    (
      "in HTML in a drawing that is scaled",
      """
      <div style='transform:scale(2);transform-origin:0 0'><svg style='display:block' width=40 height=30>
      <foreignObject width=40 height=30>\(box)</foreignObject></svg></div>
      """, [80, 60]
    ),
    (
      "of which the right is cut off by a drawing",
      "<svg width=15 height=30><foreignObject width=40 height=30>\(box)</foreignObject></svg>", [15, 30]
    ),
    (
      "mirrored in a box with a border",
      "<div style='transform:scaleX(-1)'><div style='\(bordered)'>\(box)</div></div>", [40, 30]
    ),
    (
      "turned around in a box with a border", "<div style='rotate:180deg'><div style='\(bordered)'>\(box)</div></div>",
      [40, 30]
    ),
    (
      "in a box with a border in what has a transformation and no box",
      "<div style='display:contents;transform:translate(50%) scaleX(-1)'><div style='\(bordered)'>\(box)</div></div>",
      [40, 30]
    ),
    (
      "in a box that cuts off at a distance",
      "<div style='overflow:clip;overflow-clip-margin:12px;width:10px;height:10px'>\(box)</div>", [22, 22]
    ),
  ]

  @Test("an image of an element has exactly its visible part", arguments: pages.map(\.name))
  func element(_ name: String) async throws {
    let (_, html, size) = try #require(Self.pages.first { $0.name == name })
    var page = WebPage(html: html, viewport: .init(width: 320, height: 240))
    page.area = .element("#a")
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect([picture.width, picture.height] == size)
    #expect(colors(picture) == [blue])
  }

  @Test("a mask covers exactly the visible part of its element", arguments: pages.map(\.name))
  func mask(_ name: String) async throws {
    let (_, html, size) = try #require(Self.pages.first { $0.name == name })
    // A scale other than 1 shows rounding errors.
    for scale in ["fractional", "in a frame"].contains(name) ? [1.0, 2] : [1] {
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

  @Test("a mask follows its element in a scrolled window")
  func scrolled() async throws {
    var page = WebPage(
      html:
        "<body style='margin:0'><p style='height:900px'>\(Self.box)<p style='height:900px'><script>scrollTo(0, 880)</script>",
      viewport: .init(width: 320, height: 240))
    let bare = try Image(png: try await Browser.shared.png(of: page))
    page.masks = ["#a"]
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(count(blue, bare) == 1_200 && count(cover, picture) == 1_200 && !colors(picture).contains(blue))
  }

  @Test("a mask in clipped frames covers at least the visible part")
  func cutFrames() async throws {
    let inner = "<body style='margin:0'>\(Self.box)".replacingOccurrences(of: "'", with: "&#39;")
    let middle =
      "<iframe style=&#34;border:0&#34; srcdoc=&#34;\(inner.replacingOccurrences(of: "&", with: "&amp;"))&#34;></iframe>"
    var page = WebPage(
      html: "<div style='height:20px;overflow:hidden'><iframe style='border:0' srcdoc=\"\(middle)\"></iframe></div>",
      viewport: .init(width: 320, height: 240))
    let bare = try Image(png: try await Browser.shared.png(of: page))
    page.masks = ["#a"]
    let picture = try Image(png: try await Browser.shared.png(of: page))
    #expect(count(blue, bare) > 0 && count(cover, picture) >= count(blue, bare) && !colors(picture).contains(blue))
  }

  @Test(
    "an invisible element is an error with the reason",
    arguments: [
      ("<div id=a style='display:none'>", "is not shown (display: none)"),
      ("<div style='display:none'><p id=a>x</div>", "is not shown (display: none)"),
      ("<div id=a style='display:contents'></div>", "has no box"),
      ("<div id=a></div>", "at least 1 CSS pixel"),
      ("<div style='overflow:hidden;height:0'>\(box)</div>", "is clipped completely"),
      ("<div style='position:absolute;left:-100px'>\(box)</div>", "is outside the page"),
      ("<div style='position:absolute;top:-100px'>\(box)</div>", "is outside the page"),
      ("<iframe srcdoc=\"<p id=a style='display:none'>\"></iframe>", "is not shown (display: none)"),
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

  @Test("names of elements do not hide properties of the document")
  func propertiesHiddenByNames() async throws {
    let clobbering = [
      "fonts", "images", "documentElement", "body", "querySelectorAll", "activeElement", "getAnimations",
      "adoptedStyleSheets", "scrollingElement", "doctype", "createTreeWalker",
    ]
    .map { "<img name=\($0)>" }.joined()
    let html = """
      <form><input name=childNodes><input name=attributes><input name=localName><input name=nodeType></form>\(clobbering)
      <i id=web-snapshotting-style>style</i><i data-web-snapshotting-mask>mask</i>\(Self.box)<script>0</script>
      """
    var page = WebPage(html: html)
    let dom = try await Browser.shared.dom(of: page)
    #expect(dom.contains("<i id=\"web-snapshotting-style\">style</i>") && dom.contains("mask</i>"))
    #expect(dom.contains("<form><input name=\"childNodes\">"))
    #expect(try await Browser.shared.text(of: page).contains("mask"))
    page.area = .element("#a")
    page.masks = ["i"]
    #expect(colors(try Image(png: try await Browser.shared.png(of: page))) == [blue])
    let spoofed = try await Browser.shared.text(of: WebPage(html: "<i data-web-snapshotting-mask>mask</i>"))
    #expect(spoofed == "mask")
  }

  @Test("an image does not change the document")
  func untouched() async throws {
    var page = WebPage(
      html:
        "<style>#b { caret-color: red !important }</style><input autofocus id=b><progress></progress><p id=a>x</p><script>0</script>"
    )
    let before = try await Browser.shared.dom(of: page)
    page.masks = ["#a"]
    page.readiness = [.fonts, .stableImages(2)]
    #expect(try await Browser.shared.dom(of: page) == before)
  }

  @Test("a rectangle in a frame is mapped to the window")
  func quads() throws {
    let window = Box(x: 0, y: 0, width: 100, height: 50)
    let quad = try #require(FrameQuad([10, 10, 210, 10, 210, 110, 10, 110]))
    let place = quad.map(Box(x: 5, y: 5, width: 10, height: 10), of: window)
    #expect(place == Box(x: 20, y: 20, width: 20, height: 20))
    #expect(quad.map(Box(x: 95, y: -5, width: 10, height: 10), of: window).width == 10)
    #expect(quad.map(Box(x: 200, y: 0, width: 10, height: 10), of: window).width == 0)
    #expect(FrameQuad([1, 2]) == nil)
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
