import Coordinators
import Terminal
import Testing

@testable import CoordinatorsTerminal

/// Many keys at once: a held key, a paste, or typing that is faster than drawing.
@MainActor
@Suite("A burst of keys")
struct TerminalBurstTests {
  @MainActor
  private final class Window {
    var writes: [String] = []
  }

  private let window = Window()
  private let app: TerminalApp<Place>

  init(rows: Int = 1_000, form: Bool = false) {
    let list = Page<Place.Action>(
      "Words",
      (0..<rows).map { number in
        let text = String(repeating: "lorem ipsum \(number * 7_919 % 1_000) ", count: 20)
        return .row(.init(id: "\(number)", ListCell("w\(number)", detail: text), .press))
      })
    let settings = Page<Place.Action>(
      "Settings",
      [.form(.init(id: "form", submit: "Save", fields: [PageField("name", "Name")]) { .select($0["name"]) })])
    app = TerminalApp(start: Listening.init, size: TerminalSize(columns: 200, rows: 50)) { screen in
      var page = form ? settings : list
      page.title = "\(screen)"
      return page
    }
    app.show(on: Canvas(color: .trueColor)) { [window] in window.writes.append($0) }
  }

  private func press(_ keys: Key...) { press(keys) }

  private func press(_ keys: [Key]) { app.answer(keys.map { .input(.key(KeyPress($0))) }) {} }

  @Test("a burst of keys is processed completely before it is drawn once")
  func burstIsDrawnOnce() {
    #expect(window.writes.count == 1, "the first screen")
    press(Array(repeating: .down, count: 80))
    #expect(window.writes.count == 2 && app.screen.text.contains("w80 "))
    let one = TerminalBurstTests()
    for _ in 0..<80 { one.press(.down) }
    #expect(one.app.screen == app.screen, "as if each had been drawn")
    #expect(one.window.writes.count == 81)
  }

  @Test("a burst of keys that changes the navigation is drawn once, without intermediate screens")
  func burstWithNavigationIsDrawnOnce() {
    press(.enter, .escape)
    #expect(app.navigator.navigation?.root.children.count == 1 && window.writes.count == 1)
    press(.enter, .escape, .enter)
    #expect(app.navigator.navigation?.root.children.count == 2 && window.writes.count == 2)
  }

  @Test("a burst of keys that changes nothing writes nothing")
  func burstWithoutChangeWritesNothing() {
    press(.up, .up, .down, .up)
    #expect(window.writes.count == 1)
  }

  @Test("after the key for quitting, later keys of a burst are ignored and nothing is drawn")
  func keysAfterQuitAreIgnored() {
    app.answer([.input(.key(KeyPress(.character("c"), .control))), .input(.key(.enter))]) {}
    press(.enter)
    #expect(app.navigator.navigation?.root.children.count == 1 && window.writes.count == 1)
  }

  @Test("a burst with a resize, a repaint or a return from the background draws the whole screen once")
  func burstWithResizeDrawsEverythingOnce() {
    let whole = window.writes[0].utf8.count
    for event in [
      TerminalEvent.resumed(TerminalSize(columns: 200, rows: 50)),
      .resized(TerminalSize(columns: 200, rows: 50)), .input(.key(KeyPress(.character("l"), .control))),
    ] {
      app.answer([.input(.key(.down)), event, .input(.key(.up))]) {}
      #expect(window.writes.last?.utf8.count == whole)
    }
    #expect(window.writes.count == 4)
  }

  private let size = TerminalSize(columns: 200, rows: 50)
  private let suspend = TerminalEvent.input(.key(KeyPress(.character("z"), .control)))

  @Test("a burst with Ctrl-Z draws nothing until the process resumes")
  func suspendedAppDrawsNothing() {
    let further: [[TerminalEvent]] = [[], [.input(.key(KeyPress(.character("j"))))], [.resized(size)]]
    for rest in further {
      for next in [TerminalEvent.resumed(size), .input(.key(.up))] {
        let test = TerminalBurstTests()
        var count = 0
        test.app.answer([TerminalEvent.input(.key(.down)), suspend] + rest) { count += 1 }
        test.app.navigator.apply(.present(.screen(.help), over: NodeID(rawValue: 0)))
        #expect(count == 1 && test.window.writes.count == 1, "\(rest)")
        test.app.answer([next]) {}
        #expect(test.window.writes.count == 2, "\(rest)")
      }
    }
  }

  @Test("a burst in which the process resumes after Ctrl-Z is drawn")
  func resumedAppIsDrawn() {
    app.answer([suspend, .resumed(size), .input(.key(.down))]) {}
    #expect(window.writes.count == 2)
  }

  @Test(
    "a field stores at most its maximum length, from a paste of a megabyte and from single keys",
    arguments: [("x", 1_000_000), ("é", 50_000), ("👨‍👩‍👧", 5_000)])
  func longInputFillsField(unit: String, count: Int) {
    let text = String(repeating: unit, count: count)
    for isPaste in [true, false] {
      let test = TerminalBurstTests(form: true)
      var parser = KeyParser()
      let bytes = isPaste ? "\u{1B}[200~\(text)\u{1B}[201~" : String(text.prefix(1_500))
      // A terminal delivers long input in pieces.
      test.app.answer(parser.feed(bytes.utf8).map(TerminalEvent.input)) {}
      #expect(test.window.writes.count == 2)
      test.press(.enter)
      #expect(
        test.app.navigator.navigation?.front.screen == .word(String(repeating: unit, count: TextInput.maximumLength)))
    }
  }

  @Test("each key in a list of 200 by 50 writes few bytes")
  func eachKeyWritesFewBytes() {
    let whole = window.writes[0].utf8.count
    // Within the window, two rows change: the row that loses the focus and the row that receives it.
    for _ in 0..<40 { press(.down) }
    let moves = window.writes.dropFirst().map(\.utf8.count)
    #expect(moves.count == 40 && (moves.max() ?? 0) * 20 <= whole, "\(moves) of \(whole)")
    // Then the list scrolls, and the text of every row changes.
    for _ in 0..<40 { press(.down) }
    let scrolls = window.writes.suffix(30).map(\.utf8.count)
    #expect((scrolls.max() ?? 0) * 3 <= whole * 2, "\(scrolls) of \(whole)")
  }
}

@MainActor
private final class Listening: Coordinator {
  let context: CoordinatorContext<Place, Never>

  init(_ context: CoordinatorContext<Place, Never>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    switch action {
    case .press: context.push(.screen(.long))
    case .select(let text): context.push(.screen(.word(text)))
    case .help, .save: break
    }
  }
}
