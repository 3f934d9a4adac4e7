import Foundation
import ImageSnapshotting

@testable import WebSnapshotting

/// A report in a real browser, driven by mouse events and typed text.
final class ReportBrowser {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let tab: Tab

  init(_ url: URL) async throws {
    var page = WebPage(url: url, viewport: WebPage.Viewport(width: 800, height: 900))
    // The page uses the real time and runs its animations.
    (page.now, page.animates) = (nil, true)
    let limit = Deadline(after: page.timeout, on: ContinuousClock())
    let tab = try await Browser.shared.running().open(page, within: limit)
    self.tab = tab
    do { try await tab.load(page, CaptureProgress()) } catch {
      tab.close()
      throw error
    }
  }

  deinit { tab.close() }

  func focus(_ identifier: String) async throws {
    try await evaluate("document.getElementById('\(identifier)').focus()")
  }

  @discardableResult
  private func evaluate(_ expression: String) async throws -> JSONValue? {
    let reply = try await tab.send(
      "Runtime.evaluate", ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
    if let thrown = reply["exceptionDetails"] {
      throw Failure(description: "the script failed: \(String(decoding: thrown.data, as: UTF8.self))")
    }
    return reply["result"]?["value"]
  }

  func titles() async throws -> [String] {
    try await texts(
      """
      [...document.querySelectorAll('section')].filter(section => section.offsetHeight > 0)
        .map(section => section.querySelector('h2').innerText)
      """)
  }

  func texts(_ expression: String) async throws -> [String] {
    (try await evaluate(expression)?.array ?? []).compactMap(\.string)
  }

  func text(_ expression: String) async throws -> String? { try await evaluate(expression)?.string }

  /// Clicks a place in an element; by default its center.
  ///
  /// - Parameter across: The part of the width before the place.
  func click(_ element: String, across: Double = 0.5) async throws {
    let place = try await place(of: element)
    guard place.count == 4 else { throw Failure(description: "\(element) does not exist") }
    try await tab.send(
      ["mousePressed", "mouseReleased"].map { type in
        Command(
          "Input.dispatchMouseEvent",
          [
            "type": .string(type), "x": .number(place[0] + across * place[2]), "y": .number(place[1] + place[3] / 2),
            "button": "left", "clickCount": 1,
          ])
      })
  }

  /// Clicks an element that opens another page, and waits for that page.
  func follow(_ element: String) async throws {
    let loads = tab.state.loadCount
    try await click(element)
    try await tab.wait { $0.loadCount > loads }
  }

  func type(_ text: String) async throws { try await tab.send("Input.insertText", ["text": .string(text)]) }

  /// Types a letter as a key, which selects the option that begins with it.
  func press(_ letter: Character) async throws {
    try await press(["key": .string(String(letter)), "text": .string(String(letter))])
  }

  func pressUp() async throws { try await press(["key": "ArrowUp", "code": "ArrowUp", "windowsVirtualKeyCode": 38]) }

  private func press(_ key: [String: JSONValue]) async throws {
    try await tab.send(
      ["keyDown", "keyUp"].map { type in
        Command("Input.dispatchKeyEvent", .object(key.merging(["type": .string(type)]) { $1 }))
      })
  }

  /// Returns the colour of the pixel at a place in an element, as the browser paints it.
  func color(_ element: String, across: Double) async throws -> Image.Pixel {
    let place = try await place(of: element)
    guard place.count == 4 else { throw Failure(description: "\(element) does not exist") }
    let reply = try await tab.send("Page.captureScreenshot")
    let image = try Image(png: reply["data"]?.string.flatMap { Data(base64Encoded: $0) } ?? Data())
    guard let pixel = image[Int(place[0] + across * place[2]), Int(place[1] + place[3] / 2)] else {
      throw Failure(description: "\(element) is outside of the window")
    }
    return pixel
  }

  /// Scrolls to an element, and returns its left and upper edges, width and height.
  private func place(of element: String) async throws -> [Double] {
    let place = try await evaluate(
      """
      (() => {
        const element = \(element)
        if (!element) return []
        element.scrollIntoView({block: 'center'})
        const box = element.getBoundingClientRect()
        return [box.left, box.top, box.width, box.height]
      })()
      """)
    return (place?.array ?? []).compactMap(\.number)
  }
}
