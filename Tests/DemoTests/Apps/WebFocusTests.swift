import Foundation
import Testing

@testable import WebSnapshotting

/// Uses pages of the web shell with the keyboard, in a real browser.
@Suite("Focus in the web shell")
struct WebFocusTests {
  /// The `id` of the focused element, or the name of its tag.
  private let focus = "document.activeElement.id || document.activeElement.tagName"

  @Test("a dialog takes the focus, keeps it, closes with Escape and returns the focus")
  func dialog() async throws {
    try await WebShellProcess.use(["stories"]) { url in
      let browser = try await BrowserUserDriver(at: url)
      try await browser.choose("Log in")
      try await browser.wait(until: "document.activeElement.id == 'field-credentials:name'")
      var reached: Set<String> = []
      for _ in 0..<8 {
        try await browser.pressTab()
        reached.insert(try await browser.evaluate(focus)?.string ?? "")
      }
      // Between the last and the first element, the focus is in the browser's own controls.
      #expect(
        reached == [
          "field-credentials:name", "field-credentials:password", "submit-credentials", "button-sign-up", "A", "BODY",
        ])
      try await browser.pressEscape()
      try await browser.expectTitle("Stories")
      try await browser.wait(until: "document.activeElement.id == 'button-log-in'")
    }
  }

  @Test("a refresh shows the new content without a reload, and keeps the focus")
  func refresh() async throws {
    try await WebShellProcess.use(["stories"]) { url in
      let browser = try await BrowserUserDriver(at: url)
      try await browser.evaluate("document.querySelector('.rows').remove(); window.isSame = true")
      try await browser.press("Refresh")
      try await browser.wait(until: "document.querySelector('.rows') && !document.querySelector('[role=status]')")
      #expect(try await browser.evaluate("window.isSame && (\(focus))")?.string == "refresh")
    }
  }

  @Test("a search shows its hits while the user types, at their address, and keeps the focus")
  func searchWhileTyping() async throws {
    try await WebShellProcess.use(["dictionary"]) { url in
      let browser = try await BrowserUserDriver(at: url)
      try await browser.fillIn([("Name", "ayaka"), ("Password", "tulp")], send: "Log in")
      try await browser.choose("Search")
      try await browser.evaluate("window.isSame = true")
      try await browser.type("fietser", into: "Find")
      try await browser.wait(until: "document.querySelector('.rows')?.textContent.includes('de fietser')")
      #expect(try await browser.evaluate("window.isSame && (\(focus))")?.string == "field-search:text")
      #expect(try await browser.evaluate("document.activeElement.value")?.string == "fietser")
      #expect(try await browser.evaluate("location.pathname + location.search")?.string == "/words/search?q=fietser")
    }
  }
}
