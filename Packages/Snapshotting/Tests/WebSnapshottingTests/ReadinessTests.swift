import Foundation
import Loopback
import ParallelTesting
import SnapshotAssertions
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Conditions and their time limits", .timeLimit(.minutes(5)))
struct ReadinessTests {
  private let browser = Browser.shared

  @Test("a capture waits for its conditions")
  func conditions() async throws {
    let html = "<body><script>setTimeout(() => { document.body.innerHTML = '<p id=late>Late' }, 30)</script>"
    var page = WebPage(html: html)
    for condition in [
      WebPage.Readiness.selector("#late"), .predicate("document.getElementById('late')?.innerText === 'Late'"),
      // A promise is awaited, and the expression may end with a comment.
      .predicate("new Promise((resolve) => resolve(document.getElementById('late') !== null)) // it is late"),
    ] {
      page.readiness = [condition]
      #expect(try await browser.text(of: page) == "Late")
    }
    page.content = .html(
      "<div id=a></div><script>setTimeout(() => { a.attachShadow({ mode: 'closed' }).innerHTML = '<p id=late>Late' }, 30)</script>",
      baseURL: nil)
    page.readiness = [.selector("#late")]
    #expect(try await browser.capture(page) { try await $0.accessibilityTree(of: nil) }.contains("Late"))
  }

  private static let endless = """
    <canvas id=c width=99 height=99></canvas><script>
      let frame = 0;
      const draw = () => {
        c.getContext('2d').fillStyle = `hsl(${frame += 7} 100% 50%)`;
        c.getContext('2d').fillRect(0, 0, 99, 99);
        requestAnimationFrame(draw);
      };
      draw();
    </script>
    """

  @Test(
    "a capture knows the condition that it waits for",
    arguments: [
      ("<p>Puffin<script></script>", [.selector("#none")], "an element that matches `#none`"),
      ("<p><script></script>", [.predicate("false")], "the condition `false`"),
      (
        "<script>onload = () => document.fonts.add(new FontFace('x', 'url(NEVER)')) && [...document.fonts][0].load()</script>",
        [], "the images and fonts"
      ),
      ("<img loading=lazy src='NEVER'>", [], "the images and fonts"), ("<img src='NEVER'>", [], "the load event"),
      (endless, [], "two equal images in a row"),
    ] as [(String, [WebPage.Readiness], String)])
  func named(_ html: String, _ readiness: [WebPage.Readiness], _ words: String) async throws {
    let server = try await silentServer(Log<Bool>())
    let never = server.url.appending(path: "never").absoluteString
    var page = WebPage(html: html.replacing("NEVER", with: never), network: .on)
    page.readiness = readiness
    let tab = try await browser.running().openTab(for: page)
    let capture = Task { [page] in await failure { try await tab.capture(page) { try await $0.screenshot() } } }
    try await poll(while: !tab.awaited.hasPrefix(words))
    tab.close()
    #expect(await capture.value?.kind == .cancelled)
    await server.stop(grace: .zero)
  }

  @Test("a timeout is an error with the condition, the image and the console")
  func attachments() async throws {
    let asked = Log<Bool>()
    let (clock, server) = (ManualClock(), try await silentServer(asked))
    let browser = Browser(Browser.Configuration(), clock: clock)
    let script = "console.log('😀', 5, undefined, -0, 'a\\uD800'); console.error(new Error('Tide'))"
    var page = WebPage(html: "<p>Puffin<script>\(script)</script>", network: .on)
    page.readiness = [.predicate("globalThis.asked ??= fetch('\(server.url.appending(path: "never"))'), false")]
    let capture = Task { [page] in await failure { try await browser.png(of: page) } }
    await asked.first(1)
    clock.advance(by: page.timeout)
    let error = try #require(await capture.value)
    #expect(error.kind == .timedOut)
    #expect(
      error.description.contains("timed out after 30.0 seconds while waiting for the condition `globalThis.asked"),
      "\(error)")
    let console = error.attachments.last.map { String(decoding: $0.data, as: UTF8.self) }
    #expect(console == "log: 😀 5 undefined -0 a\u{FFFD}\nerror: Error: Tide\n")
    await browser.close()
    await server.stop(grace: .zero)
  }

  @Test("the timeout of an assertion limits the page under it")
  func assertionLimit() async throws {
    var page = WebPage(html: "<p>Puffin<script></script>")
    page.readiness = [.predicate("false")]
    let browser = Browser()
    _ = try await browser.running()
    let result = await withKnownFailure { [page] in
      await expectSnapshot(of: page, as: .text(in: browser), record: .never, timeout: 3)
    }
    await browser.close()
    #expect(result.contains("timed out after 3.0 seconds while waiting for"), "\(result)")
  }

  private func withKnownFailure(_ work: @Sendable () async -> Void) async -> String {
    let found = Log<String>()
    await withKnownIssue {
      await work()
    } matching: { issue in
      found.append("\(issue)")
      return true
    }
    return found.all.joined()
  }

  @Test(
    "a selector, a mask and a condition that are wrong are errors",
    arguments: [
      ("masks", "#none", "Cannot cover the mask `#none`: no element"), ("masks", "a[", "'a[' is not a valid selector"),
      ("area", "a[", "'a[' is not a valid selector"),
      ("selector", "a[", "Cannot wait for an element that matches `a[`"),
      ("predicate", "x.y", "condition `x.y`: ReferenceError: x is not defined. Use"),
      ("zone", "Mars/Olympus", "{\"timezoneId\":\"Mars/Olympus\"}"),
      ("locale", "x", "{\"locale\":\"x\"}"), ("cookie", "x y;z", "\"value\":\"x y;z\""),
    ])
  func wrong(_ property: String, _ value: String, _ words: String) async throws {
    var page = WebPage(html: "<p>Puffin<script></script>")
    switch property {
    case "masks": page.masks = [value]
    case "area": page.area = .element(value)
    case "selector": page.readiness = [.selector(value)]
    case "zone": page.timeZone = value
    case "locale": page.locale = value
    case "cookie":
      (page.content, page.cookies) = (.html("", baseURL: URL(string: "https://birds.example")), ["b": value])
    default: page.readiness = [.predicate(value)]
    }
    let error = try #require(await failure { try await browser.png(of: page) })
    #expect(error.kind == .notFound && error.description.contains(words), "\(error)")
  }
}
