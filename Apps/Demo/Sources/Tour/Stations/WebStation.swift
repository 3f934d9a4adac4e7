internal import Coordinators
internal import Loopback
internal import WebSnapshotting

extension Station {
  static let web = Station(
    title: "Two apps in a browser", packages: ["Coordinators", "Snapshotting"],
    about: "Serves the same apps as web pages, and captures them in a real browser.", needsBrowser: true
  ) { tour in
    guard let browser = tour.browser else { throw DemoError("The tour has no browser.") }
    let visits: [(Home, DemoScreen?, expected: String)] = [
      (.stories, nil, "Concert tickets"), (.stories, .story(102), "Row 13, you were right."),
      (.dictionary, nil, "Log in"),
    ]
    return try await HTTPServer.start(ContentServer().router).use { content in
      var exhibits: [TourExhibit] = []
      for (home, link, expected) in visits {
        let client = ContentClient(server: content.url, within: .seconds(30))
        let router = await Router.web(home, at: link, client: client)
        let shown = try await HTTPServer.start(router).use { server in
          let page = WebPage(url: server.url, viewport: WebPage.Viewport(width: 480, height: 360))
          return (text: try await browser.text(of: page), picture: try await browser.png(of: page))
        }
        try tour.require(shown.text.contains(expected), "Expected '\(expected)' on the page, got:\n\(shown.text)")
        let command = try link.map { "open \(try DemoScreen.links.link(to: $0))" } ?? home.rawValue
        exhibits.append(.picture("demo \(command) --web", png: shown.picture))
      }
      return TourVisit(summary: "\(exhibits.count) pages in a real browser", exhibits: exhibits)
    }
  }
}
