import Foundation
import ImageSnapshotting
import Testing

@testable import WebSnapshotting

@Suite("Emulation", .timeLimit(.minutes(5)))
struct EmulationTests {
  private let browser = Browser.shared

  private func answer(_ script: String, _ change: (inout WebPage) -> Void = { _ in }) async throws -> String {
    var page = WebPage(html: "<script>console.log(\(script))</script>")
    change(&page)
    return try await browser.console(of: page)
  }

  @Test("the clock, the time zone and the language are fixed")
  func clock() async throws {
    let script =
      "new Date().toISOString(), Date.now() === +new Date(), new Date(2020, 0, 1, 12).getHours(), "
      + "Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, new Date() instanceof Date, new Date(0).getHours()"
    #expect(try await answer(script) == "log: 2018-12-17T12:00:00.000Z true 12 UTC en-US true 0\n")
    let dutch = try await answer("new Date().toString()") {
      $0.timeZone = "Europe/Amsterdam"
      $0.now = Date(timeIntervalSince1970: 0)
    }
    #expect(dutch == "log: Thu Jan 01 1970 01:00:00 GMT+0100 (Central European Standard Time)\n")
    let going = try await answer("Math.abs(Date.now() - \(Date().timeIntervalSince1970 * 1000)) < 6e5") { $0.now = nil }
    #expect(going == "log: true\n")
  }

  #if os(Linux)
    @Test("text uses DejaVu for every font family")
    func fonts() async throws {
      let script = """
        (() => {
          const pen = document.createElement('canvas').getContext('2d');
          const width = (family) => { pen.font = `40px ${family}`; return pen.measureText('Puffins, 17 of them').width };
          const are = (own, families) => families.every((family) => width(family) === width(own));
          return [
            are('"DejaVu Sans"', ['sans-serif', 'Arial', 'Helvetica', 'system-ui']),
            are('"DejaVu Serif"', ['serif', 'Times', 'Georgia', 'Whatever']), are('"DejaVu Sans Mono"', ['monospace', 'Menlo', 'Courier']),
            new Set(['"DejaVu Sans"', '"DejaVu Serif"', '"DejaVu Sans Mono"'].map(width)).size,
            width('"DejaVu Sans Condensed"') === width('Whatever')].join();
        })()
        """
      #expect(try await answer(script) == "log: true,true,true,3,true\n")
    }
  #endif

  @Test("a page sees its size, scale and appearance")
  func window() async throws {
    let script = "innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches"
    #expect(try await answer(script) == "log: 640 480 1 false\n")
    let other = try await answer(script) {
      $0.viewport = .init(width: 320, height: 200, scale: 2)
      $0.appearance = .dark
    }
    #expect(other == "log: 320 200 2 true\n")
    let page = WebPage(html: "<p>", viewport: .init(width: 320, height: 200, scale: 2))
    let picture = try Image(png: try await browser.png(of: page))
    #expect((picture.width, picture.height) == (640, 400))
  }

  @Test("storage is not kept for the next capture")
  func isolation() async throws {
    let url = try #require(URL(string: "https://birds.example/"))
    let page = WebPage(
      html: "<script>console.log(localStorage.seen, document.cookie, name, history.length); "
        + "localStorage.seen = 1; document.cookie = 'seen=1'; name = 'seen'</script>", baseURL: url)
    for _ in 0..<2 { #expect(try await browser.console(of: page) == "log: undefined   2\n") }
  }

  @Test("a page sees its locale, touch screen, printer and preference for reduced motion")
  func conditions() async throws {
    let script = """
      navigator.language, (1234.5).toLocaleString(), 'ontouchstart' in window, innerWidth, matchMedia('print').matches,
      matchMedia('(prefers-reduced-motion: reduce)').matches
      """
    #expect(try await answer(script) == "log: en-US 1,234.5 false 640 false true\n")
    let other = try await answer("\(script), /Mobile/.test(navigator.userAgent)") {
      ($0.locale, $0.isMobile, $0.isPrinted, $0.animates) = ("nl-NL", true, true, true)
      $0.viewport.width = 320
    }
    #expect(other == "log: nl-NL 1.234,5 true 980 true false true\n")
    #expect(
      try await answer("matchMedia('(prefers-reduced-motion: reduce)').matches") { $0.reducesMotion = false }
        == "log: false\n")
  }

  @Test("dialogs do not block a page, and windows do not open")
  func dialogs() async throws {
    let script = "(alert('a'), confirm('b')), prompt('c'), window.open('about:blank')"
    #expect(try await answer(script) == "log: false null null\n")
  }
}
