import Foundation
import Testing

@testable import WebSnapshotting

/// Drives an app in a real browser with mouse events, keys and typed text.
///
/// Links and buttons are found by their text, fields by their labels.
final class BrowserUserDriver: UserDriver {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let tab: Tab

  init(at server: URL, appearance: WebPage.Appearance = .light) async throws {
    // The page uses the real time and runs its animations.
    var page = WebPage(url: server)
    page.now = nil
    page.animates = true
    page.appearance = appearance
    let tab = try await Browser.shared.running().openTab(for: page)
    self.tab = tab
    try await waiting(for: "the first page") { try await tab.capture(page) { _ in } }
  }

  deinit { tab.close() }

  func choose(_ title: String) async throws {
    try await navigate { try await self.click("the link or button '\(title)'", Self.named("a, button", title)) }
  }

  /// Follows the link of the page; the browser's own button may lead to a screen that the app has removed since.
  func goBack() async throws {
    try await navigate { try await self.click("the link back", "document.querySelector('[rel=prev]')") }
  }

  func select(tab title: String) async throws {
    try await navigate { try await self.click("the tab '\(title)'", Self.named("nav a", title)) }
  }

  func fillIn(_ values: [(label: String, text: String)], send: String) async throws {
    for (label, text) in values { try await type(text, into: label) }
    try await choose(send)
  }

  func type(_ text: String, into label: String) async throws {
    let field = "(\(Self.named("label", label))).control"
    try await click("the field '\(label)'", field)
    try await evaluate("\(field).select()")
    try await tab.send("Input.insertText", ["text": .string(text)])
  }

  /// Clicks a button that does not open a page.
  func press(_ title: String) async throws { try await click("the button '\(title)'", Self.named("button", title)) }

  /// Waits until an expression is true in the page.
  func wait(until expression: String) async throws {
    _ = try await waiting(for: expression) {
      try await self.evaluate(
        "new Promise(done => { const check = () => \(expression) ? done() : requestAnimationFrame(check); check() })")
    }
  }

  /// Opens an address of this server, as from the address bar.
  func open(_ path: String) async throws {
    let quoted = String(decoding: JSONValue.string(path).data, as: UTF8.self)
    try await navigate { try await self.evaluate("location.assign(\(quoted))") }
  }

  func expectTitle(_ title: String) async throws {
    let heading = try await evaluate("document.querySelector('h1').textContent")?.string
    guard heading == title else { throw Failure(description: "\(heading ?? "no heading"), not \(title)") }
  }

  func shows(_ text: String) async throws -> Bool {
    try await evaluate("document.body.innerText")?.string?.contains(text) == true
  }

  func visibleContent() async throws -> VisibleContent {
    let parts = try await evaluate(
      """
      (() => {
        const words = (element) => (element ? element.innerText : '').split(/\\s+/).filter(word => word)
        const main = (document.querySelector('[role=dialog]') ?? document.querySelector('main')).cloneNode(true)
        // The web shell writes the buttons below a list above it.
        for (const actions of main.querySelectorAll('.actions:has(+ .rows)')) actions.nextElementSibling.after(actions)
        const back = main.querySelector('a[rel=prev]')
        if (back) back.remove()
        main.querySelector('h1').remove()
        for (const input of main.querySelectorAll('input')) {
          input.replaceWith(input.type == 'hidden' || input.type == 'password' ? '' : ' ' + input.value + ' ')
        }
        document.body.append(main)
        const content = words(main)
        main.remove()
        return [[back ? 'back' : ''], words(document.querySelector('h1')), content, words(document.querySelector('nav'))]
      })()
      """)
    let words = (parts?.array ?? []).map { ($0.array ?? []).compactMap(\.string) }
    guard words.count == 4 else { throw Failure(description: "a page without its parts") }
    return VisibleContent(title: words[1], words: words[2], tabs: words[3], canGoBack: words[0] == ["back"])
  }
}

extension BrowserUserDriver {
  /// Performs an action that navigates, and waits for the next page to load.
  private func navigate(_ act: @escaping () async throws -> Void) async throws {
    let loads = tab.state.loadCount
    try await act()
    try await waiting(for: "another page") { try await tab.wait { $0.loadCount > loads } }
  }

  private func click(_ what: String, _ element: String) async throws {
    let place = try await evaluate(
      """
      (() => {
        const element = \(element)
        if (!element) return null
        element.scrollIntoView({block: 'center'})
        const box = element.getBoundingClientRect()
        return [box.left + box.width / 2, box.top + box.height / 2]
      })()
      """)
    guard let center = place?.array?.compactMap(\.number), center.count == 2 else {
      let page = try await evaluate("document.body.innerText")?.string ?? ""
      throw Failure(description: "\(what) does not exist:\n\(page)")
    }
    try await tab.send(
      ["mousePressed", "mouseReleased"].map { type in
        Command(
          "Input.dispatchMouseEvent",
          ["type": .string(type), "x": .number(center[0]), "y": .number(center[1]), "button": "left", "clickCount": 1])
      })
  }

  /// A script expression for the first element with a text.
  private static func named(_ selector: String, _ text: String) -> String {
    let quoted = String(decoding: JSONValue.string(text).data, as: UTF8.self)
    return """
      [...document.querySelectorAll('\(selector)')].find(e => e.textContent.trim() == \(quoted) && !e.closest('[inert]'))
      """
  }

  func pressTab() async throws { try await press("Tab", code: 9) }

  /// Presses the Escape key, and waits for the page that it opens.
  func pressEscape() async throws { try await navigate { try await self.press("Escape", code: 27) } }

  private func press(_ key: String, code: Double) async throws {
    try await tab.send(
      ["keyDown", "keyUp"].map { type in
        Command(
          "Input.dispatchKeyEvent",
          ["type": .string(type), "key": .string(key), "code": .string(key), "windowsVirtualKeyCode": .number(code)])
      })
  }

  @discardableResult
  func evaluate(_ expression: String) async throws -> JSONValue? {
    let reply = try await tab.send(
      "Runtime.evaluate", ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
    if let thrown = reply["exceptionDetails"] {
      throw Failure(description: "the page's script failed: \(String(decoding: thrown.data, as: UTF8.self))")
    }
    return reply["result"]?["value"]
  }
}
