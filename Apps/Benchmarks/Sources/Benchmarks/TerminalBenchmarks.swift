import BenchmarkHarness
import Coordinators
import CoordinatorsTerminal
import Terminal

/// The benchmarks of a list in a terminal of 200×50.
let terminal: [Benchmark] = [
  .amount("terminal: one changed row of 200×50", of: "bytes", atMost: 600) {
    let (before, after) = (screen(of: list(rows: 45)), screen(of: list(rows: 45, changed: 20)))
    return Double(after.repaint(from: before, color: .trueColor).utf8.count)
  },
  .ratio("terminal: a key press in a list of 1,000 rows", atMost: 2, to: "in a list of 45 rows") {
    pressKeys(in: list(rows: 1_000))
  } baseline: {
    pressKeys(in: list(rows: 45))
  },
]

private enum Place: NavigationScreen {
  case list
  enum Action: Sendable { case select }
}

private func list(rows: Int, changed: Int? = nil) -> Page<Place.Action> {
  Page(
    "Words",
    (1...rows).map { row in
      let detail = String(repeating: row == changed ? "brood " : "lorem ipsum ", count: 20)
      return .row(.init(id: "\(row)", ListCell("word \(row)", detail: detail), .select))
    })
}

private func shell() -> TerminalShell<Place> {
  var shell = TerminalShell<Place>(size: TerminalSize(columns: 200, rows: 50))
  if let navigation = try? Navigation(.stack([.screen(Place.list)])) { shell.show(navigation) }
  return shell
}

private func screen(of page: Page<Place.Action>) -> Terminal.Screen { shell().screen { _ in page } }

/// Moves the selection and draws the screen, once for each of 30 rows.
private func pressKeys(in page: Page<Place.Action>) -> Int {
  var shell = shell()
  for _ in 0..<30 {
    blackHole(shell.receive(.key(KeyPress(.down))) { _ in page })
    blackHole(shell.screen { _ in page })
  }
  return 30
}
