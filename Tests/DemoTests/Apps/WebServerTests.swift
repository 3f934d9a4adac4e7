import Foundation
import Loopback
import Testing

@testable import Demo

@Suite("Web server of the apps")
@MainActor
struct WebServerTests {
  /// Sends a request, and follows redirects with the cookie of the session.
  private func get(_ path: String, _ router: Router, cookie: String? = nil) async throws -> String {
    var request = HTTPRequest(.get, path)
    request.headers["Cookie"] = cookie
    let response = try #require(await router.reply(to: request).response)
    let cookie = response.headers["Set-Cookie"].flatMap { $0.split(separator: ";").first.map(String.init) } ?? cookie
    if let location = response.headers["Location"] { return try await get(location, router, cookie: cookie) }
    return String(decoding: response.body, as: UTF8.self)
  }

  @Test("a path opens its screen, and the log-in first where the app needs one")
  func paths() async throws {
    let server = try await HTTPServer.start(ContentServer().router)
    let client = ContentClient(server: server.url, within: .seconds(60))
    let stories = Router.web(.stories, at: nil, client: client)
    #expect(try await get("/stories/104", stories).contains(">お土産</h1>"))
    #expect(try await get("/stories/12345", stories).contains(">Log in</h1>"))
    #expect(try await get("/words", stories).contains(">Stories</h1>"), "a screen of the other app")
    let dictionary = Router.web(.dictionary, at: .phrases, client: client)
    #expect(try await get("/words/fiets", dictionary).contains(">Log in</h1>"))
    await server.stop()
  }
}
