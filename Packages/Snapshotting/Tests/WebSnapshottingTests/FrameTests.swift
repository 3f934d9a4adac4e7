import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

@Suite("Frames that change during an image", .timeLimit(.minutes(5)))
struct FrameTests {
  private let browser = Browser.shared

  /// A script that runs when its document is prepared for an image of the whole page.
  private static func whenStilled(_ script: String) -> String {
    """
    <img loading=lazy src='data:,'><script>
      new MutationObserver(() => { \(script) }).observe(document.querySelector('img'), { attributes: true });
    </script>
    """
  }

  private static let secret = "<p class=secret style='height: 50px; background: red'>"

  private func framed(_ name: String, _ html: String) -> String {
    "<iframe id=\(name) srcdoc=\"\(html.replacing("\"", with: "&quot;"))\"></iframe>"
  }

  private func picture(_ html: String, masks: [String] = [".secret"]) async throws -> Image {
    var page = WebPage(html: html, viewport: .init(width: 320, height: 240))
    (page.area, page.masks) = (.fullPage, masks)
    return try Image(png: try await browser.png(of: page))
  }

  @Test("a frame that navigates is covered in its new document")
  func covered() async throws {
    let picture = try await picture(framed("f", Self.whenStilled("top.f.srcdoc = `\(Self.secret)`")))
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 255)) > 0)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }

  @Test("a frame that navigates while images are taken is covered in its new document", arguments: [1, 8, 16, 32])
  func navigating(_ milliseconds: Int) async throws {
    // The mask adds an element to the document of the frame.
    let script = """
      <p class=secret></p><script>
        new MutationObserver(() => setTimeout(() => { top.f.srcdoc = `\(Self.secret)` }, \(milliseconds)))
          .observe(document.documentElement, { childList: true });
      </script>
      """
    let picture = try await picture(framed("f", script))
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }

  @Test(
    "a mask in an invisible frame covers nothing, and causes no delay",
    arguments: ["style='display: none'", "sandbox", "sandbox style='display: none'"])
  func hidden(_ attributes: String) async throws {
    let frame = "<iframe \(attributes) srcdoc=\"\(Self.secret)\"></iframe>"
    let isShown = attributes == "sandbox"
    let picture = try await picture("<p>Puffin<script></script>" + frame)
    #expect((picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 255)) > 0) == isShown)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }

  @Test("a mask covers a frame of another origin", arguments: ["iframe", "div", "object"])
  func masked(_ mask: String) async throws {
    let frame =
      mask == "object"
      ? "<object width=300 height=150 data=\"data:text/html,\(Self.secret)\"></object>"
      : "<div><iframe sandbox style='border: 0' srcdoc=\"\(Self.secret)\"></iframe></div>"
    let picture = try await picture(frame, masks: [mask])
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 255)) >= 300 * 150)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }

  @Test(
    "a frame of another origin below the window is drawn, and no element is stretched", arguments: ["72px", "30vh"])
  func below(_ height: String) async throws {
    let picture = try await picture(
      "<div style='height: \(height); background: blue'></div><div style='height: 1000px'></div>"
        + "<iframe sandbox srcdoc=\"\(Self.secret)\"></iframe>", masks: [])
    #expect(picture.pixels(of: Image.Pixel(red: 0, green: 0, blue: 255)) == 72 * 304)
    // An element with a height of the window keeps it, and the frame stays empty.
    #expect((picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) > 0) == (height == "72px"))
  }
}

extension Image {
  fileprivate func pixels(of color: Pixel) -> Int {
    (0..<height).reduce(0) { count, y in count + (0..<width).count { self[$0, y] == color } }
  }
}
