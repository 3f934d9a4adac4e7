internal import Coordinators
internal import Foundation
internal import WebSnapshotting

extension TourContext {
  /// Shows both apps in a browser, at their home pages and at a link.
  @MainActor
  func web() async throws -> TourVisit {
    guard let browser else { throw TourFailure(description: "The tour has no browser.") }
    let visits: [(Home, DemoRoute?, expected: String)] = [
      (.stories, nil, "Concert tickets"), (.stories, .story(102), "Row 13, you were right."),
      (.dictionary, nil, "Log in"),
    ]
    return try await with(ContentServer.router(try Library.bundled())) { content in
      let client = ContentClient(server: content, within: .seconds(30))
      defer { client.close() }
      var exhibits: [TourExhibit] = []
      for (home, route, expected) in visits {
        let app = DemoWeb(home, at: route, client: client)
        let link = try route.map { try DemoRoute.links.link(to: $0) }
        let shown = try await with(app.router) { server in
          let page = WebPage(url: server, viewport: WebPage.Viewport(width: 480, height: 360))
          return (text: try await browser.text(of: page), picture: try await browser.png(of: page))
        }
        try require(shown.text.contains(expected), "Expected '\(expected)' on the page, got:\n\(shown.text)")
        exhibits.append(.picture("demo \(link.map { "open \($0)" } ?? home.rawValue) --web", png: shown.picture))
      }
      return TourVisit(summary: "\(exhibits.count) pages in a real browser", exhibits: exhibits)
    }
  }
}
