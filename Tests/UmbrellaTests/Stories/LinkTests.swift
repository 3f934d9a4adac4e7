import Boundaries
import CoordinatorsWeb
import Foundation
import ImageSnapshotting
import Loopback
import TestSupport
import SnapshotAssertions
import Testing
import WebSnapshotting

@MainActor
@Suite("Links to stories in a browser")
struct LinkTests {
  /// Starts a content server with one story, and returns it with a log of its requests.
  private func contentServer() async throws -> (HTTPServer, requests: Log<String>) {
    let requests = Log<String>()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/stories/2") { _ in
          HTTPResponse.json(Story(title: "The puffin <& co>", text: "It digs its burrow\nwith its feet."))
        }
      }.mapReplies { request, reply in
        requests.append("\(request.method.rawValue) \(request.path)")
        return reply
      })
    return (server, requests)
  }

  private func page(of server: HTTPServer) -> WebPage {
    var page = WebPage(url: server.url, viewport: .init(width: 320, height: 240))
    page.timeout = .seconds(120)
    return page
  }

  /// Fonts are pinned, so the tolerance only allows for the antialiasing of other browser versions.
  private let picture = Snapshotting<WebPage, Image>.image(
    precision: 0.9995, perceptualPrecision: 0.98, ignoringAntialiasing: true)

  @Test("a link shows its story as text and as an image, and the story is fetched once")
  func linkShowsStory() async throws {
    let (content, requests) = try await contentServer()
    let app = WebApp.stories(at: content.url)
    try app.open("umbrella://stories/2")
    let web = try await HTTPServer.start(app.router)
    await expectSnapshot(of: page(of: web), as: .text)
    await expectSnapshot(of: page(of: web), as: picture)
    #expect(requests.all == ["GET /stories/2"])
    await web.stop()
    await content.stop()
  }
}
