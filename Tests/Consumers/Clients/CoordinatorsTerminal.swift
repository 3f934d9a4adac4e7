// A client of `CoordinatorsTerminal`.

import Coordinators
import CoordinatorsTerminal
import Terminal

enum Corner: NavigationScreen {
  case words, word(String)

  enum Action: Sendable { case select(String) }
}

@MainActor
final class CornerCoordinator: Coordinator {
  let presenter: Presenter<Corner, Never>

  init(_ presenter: Presenter<Corner, Never>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: Corner.Action, from node: Node<Corner>) {
    if case .select(let word) = action { presenter.push(.screen(.word(word))) }
  }
}

func page(of screen: Corner) -> Page<Corner.Action> {
  switch screen {
  case .words: Page("Words", [.row(.init(id: "fiets", ListCell("fiets"), .select("fiets")))])
  case .word(let word): Page(word, [.text("A word.")])
  }
}

@MainActor
func screen(after keys: String) async throws -> String {
  let work = PendingWork()
  let app = TerminalApp<Corner>(contents: ScreenContents(work: work) { .page(page(of: $0)) }, work: work)
  app.navigator.start("application") { CornerCoordinator($0) }
  let ending = await app.run(try TerminalScript(keys))
  return ending == nil ? app.screen.text : "ended"
}

@MainActor
func run(_ app: TerminalApp<Corner>) async throws -> TerminalEnding {
  try await app.run(on: .standardOutput)
}
