import Foundation
import Loopback
import Testing

@testable import Demo

@Suite("Web server of the apps")
@MainActor
struct WebServerTests {
  /// A client that keeps its session cookie, and follows redirects.
  private struct Browser {
    let router: Router
    var cookie: String?

    mutating func get(_ path: String) async throws -> (status: HTTPStatus, text: String) {
      try await send(HTTPRequest(.get, path))
    }

    mutating func send(_ request: HTTPRequest) async throws -> (status: HTTPStatus, text: String) {
      var request = request
      if let cookie { request.headers["Cookie"] = "other=1; \(cookie)" }
      let response = try #require(await router.reply(to: request).response)
      if let cookie = response.headers["Set-Cookie"] {
        self.cookie = cookie.split(separator: ";").first.map(String.init)
      }
      if let location = response.headers["Location"] { return try await get(location) }
      return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// Submits the log-in form of the first page.
    mutating func logIn(token: String? = nil) async throws -> (status: HTTPStatus, text: String) {
      let page = try await get("/").text
      let action = try #require(page.firstMatch(of: #/action="([^"]*forms[^"]*)"/#)?.1)
      let secret = try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
      let form = "token=\(token ?? String(secret))&field-name=ayaka&field-password=tulp"
      return try await send(HTTPRequest(.post, String(action), body: Array(form.utf8)))
    }
  }

  private func with(_ home: Home, _ body: (Router) async throws -> Void) async throws {
    try await HTTPServer.start(ContentServer().router).use { server in
      let client = ContentClient(server: server.url, within: .seconds(60))
      try await body(WebServer(home, at: nil, client: client).router)
    }
  }

  @Test("each browser has a session of its own")
  func sessions() async throws {
    try await with(.dictionary) { router in
      var (user, stranger) = (Browser(router: router), Browser(router: router))
      let words = try await user.logIn().text
      #expect(words.contains("de fiets"))
      #expect(try await stranger.get("/").text.contains("Log in"))
      #expect(try await user.get("/").text.contains("de fiets"))
    }
  }

  @Test("a form without the token of its page is refused")
  func forgedForm() async throws {
    try await with(.dictionary) { router in
      var browser = Browser(router: router)
      let answer = try await browser.logIn(token: "guess")
      #expect(answer.status == 403)
    }
  }

  @Test("a browser that refuses cookies gets a page that says so, without a redirect")
  func noCookies() async throws {
    try await with(.stories) { router in
      for request in [HTTPRequest(.get, "/screens/7"), HTTPRequest(.post, "/screens/1/refresh")] {
        var browser = Browser(router: router)
        let answer = try await browser.send(request)
        #expect(answer.status == .badRequest && answer.text.contains("the browser refuses cookies"))
        #expect(browser.cookie == nil)
      }
    }
  }
}
