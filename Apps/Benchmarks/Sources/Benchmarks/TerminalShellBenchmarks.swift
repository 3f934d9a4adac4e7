import BenchmarkHarness
import Coordinators
import CoordinatorsTerminal
import Terminal

/// The output size and the time of a terminal shell when one row changes.
let terminalShell: [Benchmark] = [
  Benchmark(
    name: "terminal: bytes of one row of 200×50, per mille of a full repaint", budget: .amount(atMost: 50),
    subject: .number(unit: "‰") {
      let all = changed.repaint(from: nil, color: .trueColor).utf8.count
      return roundedUp(changed.repaint(from: before, color: .trueColor).utf8.count * 1_000, dividedBy: all)
    }),
  Benchmark("terminal: full repaint of 200×50") { iterations in
    for _ in 0..<iterations { blackHole(identity(changed).repaint(from: nil, color: .trueColor)) }
  },
  Benchmark(
    "terminal: repaint of one row of 200×50", baseline: "terminal: full repaint of 200×50", budget: .ratio(atMost: 0.5)
  ) { iterations in
    for _ in 0..<iterations { blackHole(identity(changed).repaint(from: before, color: .trueColor)) }
  },
  Benchmark("terminal: draw a list of 200×50") { iterations in
    for _ in 0..<iterations { blackHole(screen(of: identity(rows(changed: "brood")))) }
  },
]

private enum Place: NavigationScreen {
  case list
  enum Action: Sendable { case select }
}

/// A list that fills the window.
///
/// The 20th row has the given title.
private func rows(changed title: String) -> Page<Place.Action> {
  Page(
    "Words",
    (1...45).map { number in
      let text = String(repeating: number == 20 ? "\(title) " : "lorem ipsum ", count: 20)
      return .row(.init(id: "\(number)", ListCell(number == 20 ? title : "w\(number)", detail: text), .select))
    })
}

private func screen(of page: Page<Place.Action>) -> Terminal.Screen {
  var shell = TerminalShell<Place>(size: TerminalSize(columns: 200, rows: 50))
  if let navigation = try? Navigation(.stack([.screen(Place.list)])) { shell.show(navigation) }
  return shell.screen { _ in page }
}

private let before = screen(of: rows(changed: "fiets"))
private let changed = screen(of: rows(changed: "brood"))
