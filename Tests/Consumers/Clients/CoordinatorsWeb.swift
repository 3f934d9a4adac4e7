// A client of `CoordinatorsWeb`.

import Coordinators
import CoordinatorsWeb

enum Site: NavigationScreen {
  case words, word(String)

  enum Action: Sendable { case select(String) }
}

@MainActor
final class SiteCoordinator: Coordinator {
  let presenter: Presenter<Site, Never>

  init(_ presenter: Presenter<Site, Never>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: Site.Action, from node: Node<Site>) {
    if case .select(let word) = action { presenter.push(.screen(.word(word))) }
  }
}

@MainActor
func visited() async -> String {
  let work = PendingWork()
  let contents = ScreenContents<Site>(work: work) { screen in
    switch screen {
    case .words: .page(Page("Words", [.row(.init(id: "fiets", ListCell("fiets"), .select("fiets")))]))
    case .word(let word): .page(Page(word, [.text("Een woord.", language: "nl")]))
    }
  }
  let app = WebApp(contents: contents, work: work, token: "a secret")
  app.navigator.start("application") { SiteCoordinator($0) }
  let home = await app.respond(to: WebRequest(.get, "/"))
  guard home.status == 303, let address = home.headers["Location"] else { return "nowhere" }
  return await app.respond(to: WebRequest(.get, address)).body
}
