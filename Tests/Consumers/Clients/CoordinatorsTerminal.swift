// A client of `CoordinatorsTerminal`.

import CoordinatorsTerminal

enum Corner: NavigationScreen {
  case words, word(String)

  enum Action: Sendable { case select(String) }
}

@MainActor
final class CornerCoordinator: Coordinator {
  let context: CoordinatorContext<Corner, Never>

  init(_ context: CoordinatorContext<Corner, Never>) { self.context = context }

  func start() { context.push(.words) }

  func receive(_ action: Corner.Action) {
    if case .select(let word) = action { context.push(.word(word)) }
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
  let app = TerminalApp(start: CornerCoordinator.init, page: page(of:))
  let ending = await app.run(try TerminalScript(keys))
  return ending == nil ? app.screen.text : "ended"
}

@MainActor
func run(_ app: TerminalApp<Corner>) async throws -> TerminalEnding {
  try await app.run(on: .standardOutput)
}
