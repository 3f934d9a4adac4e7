import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

@Suite("Frames that change during an image", .timeLimit(.minutes(2)))
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

  /// A video delays the preparation of its frame.
  private static let video = "<video id=v></video><script>v.src = URL.createObjectURL(new MediaSource())</script>"
  private static let secret = "<p class=secret style='height: 50px; background: red'>"

  private func framed(_ name: String, _ html: String) -> String {
    "<iframe id=\(name) srcdoc=\"\(html.replacing("\"", with: "&quot;"))\"></iframe>"
  }

  private func picture(_ html: String) async throws -> Image {
    var page = WebPage(html: html, viewport: .init(width: 320, height: 240))
    (page.area, page.masks) = (.fullPage, [".secret"])
    return try Image(png: try await browser.png(of: page))
  }

  @Test(
    "a frame that is removed during the preparation is ignored",
    arguments: [
      "frameElement.remove()",
      "[...parent.document.querySelectorAll('iframe')].find((f) => f !== frameElement)?.remove()",
    ])
  func gone(_ script: String) async throws {
    let frame = Self.whenStilled(script) + Self.video
    _ = try await picture("<p>Puffin" + framed("a", frame) + framed("b", frame))
  }

  @Test("a frame that navigates is covered in its new document", arguments: [true, false])
  func covered(_ isItself: Bool) async throws {
    let navigating = Self.whenStilled("top.f.srcdoc = `\(Self.secret)`") + Self.video
    let page = isItself ? framed("f", navigating) : navigating + framed("f", "<p>Puffin")
    let picture = try await picture(page)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 255)) > 0)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }

  @Test("a frame that is added during the preparation is covered")
  func added() async throws {
    let picture = try await picture(
      Self.whenStilled(
        """
        const frame = document.createElement('iframe');
        document.body.append(frame);
        frame.contentDocument.body.innerHTML = `\(Self.secret)`;
        """) + Self.video)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 255)) > 0)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }

  @Test(
    "a mask in an invisible frame covers nothing, and causes no delay",
    arguments: ["style='display: none'", "sandbox", "sandbox style='display: none'", "src='https://auks.example/'"])
  func hidden(_ attributes: String) async throws {
    let frame = "<iframe \(attributes) srcdoc=\"\(Self.secret)\"></iframe>"
    let isShown = attributes == "sandbox"
    let picture = try await picture(
      "<p>Puffin<script>document.write('')</script>"
        + (attributes.hasPrefix("src") ? "<iframe \(attributes)></iframe>" : frame))
    #expect((picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 255)) > 0) == isShown)
    #expect(picture.pixels(of: Image.Pixel(red: 255, green: 0, blue: 0)) == 0)
  }
}

extension Image {
  fileprivate func pixels(of color: Pixel) -> Int {
    (0..<height).reduce(0) { count, y in count + (0..<width).count { self[$0, y] == color } }
  }
}
