internal import Coordinators
internal import CoordinatorsTerminal
internal import CoordinatorsWeb
internal import Foundation

/// The pages and coordinators of one app, for any shell.
@MainActor
struct DemoApp {
  let home: Home
  let services: Services

  init(_ home: Home, client: ContentClient, session: Session? = nil) {
    self.home = home
    services = Services(client: client, session: session)
  }

  /// Returns the app in a terminal; call ``start(in:at:)`` next.
  func terminal(size: TerminalSize = TerminalSize(columns: 80, rows: 24)) -> TerminalApp<DemoScreen> {
    TerminalApp(size: size, page: services.page)
  }

  /// Returns the app in a browser; call ``start(in:at:)`` next.
  func web() -> WebApp<DemoScreen> {
    WebApp(name: home.rawValue.capitalized, links: DemoScreen.links, page: services.page)
  }

  /// Starts the coordinators, and opens the screen of a link.
  func start(in navigator: Navigator<DemoScreen>, at link: DemoScreen?) {
    switch home {
    case .stories: navigator.start("stories") { StoriesCoordinator($0, services) }
    case .dictionary: navigator.start("dictionary") { DictionaryCoordinator($0, services) }
    }
    if let link { navigator.open(link) }
  }
}
