import BenchmarkHarness
import Coordinators
import CoordinatorsTerminal
import Terminal

/// The benchmark of a list in a terminal of 200×50.
let terminal: [Benchmark] = [
  .ratio("terminal: a key press in a list of 1,000 rows", atMost: 2, to: "in a list of 45 rows") {
    await pressKeys(rows: 1_000)
  } baseline: {
    await pressKeys(rows: 45)
  }
]

private enum Place: NavigationScreen {
  case list
  enum Action: Sendable { case select }
}

@MainActor
private final class List: Coordinator {
  let context: CoordinatorContext<Place, Never>

  init(_ context: CoordinatorContext<Place, Never>) { self.context = context }

  func start() { context.push(.screen(.list)) }
}

/// Moves the selection and draws the screen, once for each of 30 rows.
@MainActor
private func pressKeys(rows: Int) -> Int {
  let detail = String(repeating: "lorem ipsum ", count: 20)
  let page = Page<Place.Action>(
    "Words", (1...rows).map { .row(id: "\($0)", "word \($0)", detail: detail, .select) })
  let app = TerminalApp(start: List.init, size: TerminalSize(columns: 200, rows: 50)) { _ in page }
  for _ in 0..<30 {
    app.receive(.key(KeyPress(.down)))
    blackHole(app.screen)
  }
  return 30
}
