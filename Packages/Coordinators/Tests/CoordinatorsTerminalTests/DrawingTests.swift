import Coordinators
import Terminal
import Testing

@testable import CoordinatorsTerminal

/// Each event is drawn once, in one write of the changed cells.
@MainActor
@Suite("Drawing of an app in a terminal")
struct DrawingTests {
  @MainActor
  private final class Window {
    var writes: [String] = []
    var suspensions = 0
  }

  private let window = Window()
  private let app: TerminalApp<Place>
  private let size = TerminalSize(columns: 200, rows: 50)

  init() {
    let list = Page<Place.Action>(
      "Words",
      (0..<1_000).map { number in
        let text = String(repeating: "lorem ipsum \(number * 7_919 % 1_000) ", count: 20)
        return .row(id: "\(number)", "w\(number)", detail: text, .press)
      })
    app = TerminalApp(start: Listening.init, size: size) { _ in list }
    app.output = .init(
      color: .trueColor, write: { [window] in window.writes.append($0) },
      suspend: { [window] in window.suspensions += 1 })
    app.answer(.resumed(size))
  }

  private func press(_ keys: Key...) { for key in keys { app.answer(.input(.key(KeyPress(key)))) } }

  @Test("a key that changes the navigation is drawn once, and a key that changes nothing writes nothing")
  func eachEventIsDrawnOnce() {
    #expect(window.writes.count == 1, "the first screen")
    press(.enter)
    #expect(app.navigator.navigation?.root.children.count == 2 && window.writes.count == 2)
    press(.up, .up)
    #expect(window.writes.count == 2)
  }

  @Test("after the key for quitting nothing is drawn")
  func nothingIsDrawnAfterQuit() {
    app.answer(.input(.key(.control("c"))))
    #expect(window.writes.count == 1)
  }

  @Test("a resize, a repaint and a return from the background draw the whole screen")
  func resizeDrawsEverything() {
    let whole = window.writes[0].utf8.count
    for event in [TerminalEvent.resumed(size), .resized(size), .input(.key(.control("l")))] {
      app.answer(event)
      #expect(window.writes.last?.utf8.count == whole)
    }
    #expect(window.writes.count == 4)
  }

  @Test("a suspended app draws nothing until its next event")
  func suspendedAppDrawsNothing() {
    app.answer(.input(.key(.control("z"))))
    app.navigator.apply(.present(.screen(.help), over: NodeID(rawValue: 0)))
    #expect(window.suspensions == 1 && window.writes.count == 1)
    app.answer(.resumed(size))
    #expect(window.writes.count == 2)
  }

  @Test("each key in a list of 200 by 50 writes few bytes")
  func eachKeyWritesFewBytes() {
    let whole = window.writes[0].utf8.count
    // Within the window, two rows change: the row that loses the focus and the row that receives it.
    for _ in 0..<40 { press(.down) }
    let moves = window.writes.dropFirst().map(\.utf8.count)
    #expect(moves.count == 40 && (moves.max() ?? 0) * 20 <= whole, "\(moves) of \(whole)")
  }
}

@MainActor
private final class Listening: Coordinator {
  let context: CoordinatorContext<Place, Never>

  init(_ context: CoordinatorContext<Place, Never>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    if action == .press { context.push(.screen(.long)) }
  }
}
