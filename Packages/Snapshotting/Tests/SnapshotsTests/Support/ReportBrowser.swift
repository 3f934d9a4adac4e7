import Foundation
import ImageSnapshotting

@testable import WebSnapshotting

/// A report in a real browser, driven by mouse events and typed text.
final class ReportBrowser {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let tab: Tab

  init(_ url: URL, width: Int) async throws {
    var page = WebPage(url: url, viewport: WebPage.Viewport(width: width, height: 900))
    // The page uses the real time and runs its animations.
    (page.now, page.animates) = (nil, true)
    tab = try await Browser.shared.running().openTab(for: page)
    try await tab.capture(page) { _ in }
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

  /// The text of hidden parts is read too: the browser renders a section that comes into view in a later frame.
  func titles() async throws -> [String] {
    try await texts(
      """
      [...document.querySelectorAll('section')].filter(section => section.offsetHeight > 0)
        .map(section => section.querySelector('h2').textContent)
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

  func type(_ text: String) async throws { try await tab.send("Input.insertText", ["text": .string(text)]) }

  /// Types a character as a key.
  func press(_ letter: Character) async throws {
    try await press(["key": .string(String(letter)), "text": .string(String(letter))])
  }

  func press(_ key: [String: JSONValue]) async throws {
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
