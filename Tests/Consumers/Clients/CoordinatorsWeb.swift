// A client of `CoordinatorsWeb`.

import CoordinatorsWeb

enum Site: NavigationScreen {
  case words, word(String)

  enum Action: Sendable { case select(String) }
}

@MainActor
final class SiteCoordinator: Coordinator {
  let context: CoordinatorContext<Site, Never>

  init(_ context: CoordinatorContext<Site, Never>) { self.context = context }

  func start() { context.push(.words) }

  func receive(_ action: Site.Action) {
    if case .select(let word) = action { context.push(.word(word)) }
  }
}

@MainActor
func visited() async -> String {
  let app = WebApp(token: "a secret", start: SiteCoordinator.init) { screen in
    switch screen {
    case .words: Page("Words", [.row("fiets", .select("fiets"))])
    case .word(let word): Page(word, [.text("Een woord.", language: "nl")])
    }
  }
  let home = await app.respond(to: WebRequest(.get, "/"))
  guard home.status == 303, let address = home.headers["Location"] else { return "nowhere" }
  return await app.respond(to: WebRequest(.get, address)).body
}
