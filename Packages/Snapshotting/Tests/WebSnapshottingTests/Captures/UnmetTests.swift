import Foundation
import Loopback
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

/// The message of a timeout names the condition.
@Suite("Timeouts of conditions", .timeLimit(.minutes(10)))
struct UnmetTests {
  private static let conditions: [(name: String, html: String, readiness: [WebPage.Readiness], words: String)] = [
    ("an element", "<p>Puffin", [.selector("#none"), .fonts], "an element that matches `#none`"),
    (
      "a font",
      "<script>onload = () => document.fonts.add(new FontFace('x', 'url(NEVER)')) && [...document.fonts][0].load()</script>",
      [.fonts, .selector("html")], "the fonts"
    ),
    (
      "a font at last",
      "<script>onload = () => document.fonts.add(new FontFace('x', 'url(NEVER)')) && [...document.fonts][0].load()</script>",
      [.fonts], "the fonts and the images"
    ),
    (
      "an idle network", "<script>onload = () => fetch('NEVER')</script>", [.networkIdle(for: .milliseconds(1))],
      "no requests for 0.001 seconds"
    ),
    (
      "images that are the same",
      """
      <body><script>
        let count = 0;
        const change = () => {
          document.body.style.background = `rgb(${(count += 1) % 256} ${count >> 8} 0)`;
          requestAnimationFrame(change);
        };
        change();
      </script>
      """, [.stableImages(1_000)], "1000 equal images in a row"
    ),
    (
      "an image that comes after the load event",
      "<script>onload = () => { const a = new Image(); a.src = 'NEVER'; document.body.append(a) }</script>", [.fonts],
      "the fonts and the images"
    ),
    ("a lazy image that is in sight", "<img loading=lazy src='NEVER'>", [], "the images"),
    (
      "a canvas at rest",
      """
      <canvas id=c width=99 height=99></canvas><script>
        let frame = 0;
        const draw = () => {
          const pen = c.getContext('2d');
          pen.fillStyle = `hsl(${frame += 7} 100% 50%)`;
          pen.fillRect(0, 0, 99, 99);
          requestAnimationFrame(draw);
        };
        draw();
      </script>
      """, [], "two equal frames in a row"
    ),
  ]

  @Test("the error of a timeout names the condition", arguments: conditions.map(\.name))
  func named(_ name: String) async throws {
    let condition = try #require(Self.conditions.first { $0.name == name })
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/never") { _ in HTTPReply.never }
      })
    let html = condition.html.replacingOccurrences(
      of: "NEVER", with: server.url.appending(path: "never").absoluteString)
    var page = WebPage(html: html, network: .on)
    page.readiness = condition.readiness
    let error = try #require(try await timeOut(of: page, awaiting: condition.words))
    #expect(error.kind == .timedOut)
    #expect(error.description.contains("while waiting for \(condition.words). Completed: "), "\(error)")
    #expect(error.description.contains("cover it with `masks`") == (name == "a canvas at rest"), "\(error)")
    await server.stop(grace: .zero)
  }

  /// The error of a capture that times out at a condition.
  private func timeOut(of page: WebPage, awaiting words: String) async throws -> WebError? {
    let (clock, ended) = (ManualClock(), Signal())
    let tab = try await Browser.shared.open(page)
    let progress = CaptureProgress()
    let capture = Task {
      defer { ended.raise() }
      return await failure {
        try await Browser.shared.run(in: tab, within: page.timeout, on: clock, progress) { progress in
          try await tab.load(page, progress)
          return try await tab.screenshot(of: page, progress)
        }
      }
    }
    // A round trip yields the thread to the capture.
    while progress.awaited != words, !ended.hasBeenRaised { _ = try await tab.connection.send("Browser.getVersion") }
    // There is one sleep, unless the page was captured.
    if !ended.hasBeenRaised { try await clock.advanceToNextSleep() }
    let error = await capture.value
    tab.close()
    return error
  }
}
