import Foundation
import Loopback
import Testing

@testable import Demo

@Suite("Web sessions of the demo apps")
@MainActor
struct AppsWebSessionTests {
  /// A client that keeps its session cookie.
  private struct Browser {
    let router: Router
    var cookie: String?

    /// Sends a request and follows one redirect.
    mutating func ask(_ method: HTTPMethod, _ path: String, _ body: String = "") async -> HTTPResponse? {
      let response = await once(method, path, body)
      guard response?.status == .seeOther, let location = response?.headers["Location"] else { return response }
      return await once(.get, location)
    }

    mutating func once(_ method: HTTPMethod, _ path: String, _ body: String = "") async -> HTTPResponse? {
      var request = HTTPRequest(method, path, body: Array(body.utf8))
      if let cookie { request.headers["Cookie"] = cookie }
      let response = await router.reply(to: request).response
      if let cookie = response?.headers["Set-Cookie"] {
        self.cookie = cookie.split(separator: ";").first.map(String.init)
      }
      return response
    }
  }

  private func withWeb(_ home: Home, _ body: (Router) async throws -> Void) async throws {
    let server = try await HTTPServer.start(ContentServer.router(try Library.bundled()))
    let client = ContentClient(server: server.url, within: .seconds(60))
    try await body(DemoWeb(home, at: nil, client: client).router)
    client.close()
    await server.stop(grace: .zero)
  }

  private func text(_ response: HTTPResponse?) -> String {
    response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
  }

  /// Submits the log-in form of the first page.
  private func logIn(_ browser: inout Browser) async throws -> String {
    let page = text(await browser.ask(.get, "/"))
    let action = try #require(page.firstMatch(of: #/action="([^"]*forms[^"]*)"/#)?.1)
    let token = try #require(page.firstMatch(of: #/name="token" value="([^"]*)"/#)?.1)
    return text(await browser.ask(.post, String(action), "token=\(token)&field-name=ayaka&field-password=tulp"))
  }

  @Test("new visitors are evicted before returning visitors, and returning visitors before logged-in users")
  func sessionEviction() async throws {
    try await withWeb(.dictionary) { router in
      var (known, returned) = (Browser(router: router), Browser(router: router))
      let words = try await logIn(&known)
      #expect(words.contains("de fiets"))
      #expect(text(await returned.ask(.get, "/")).contains("Log in"))
      let cookie = returned.cookie
      for _ in 0..<(2 * DemoWeb.mostVisits) {
        var stranger = Browser(router: router)
        #expect(await stranger.once(.get, "/")?.headers["Set-Cookie"] != nil)
      }
      #expect(text(await known.ask(.get, "/")).contains("de fiets"))
      _ = await returned.ask(.get, "/")
      #expect(returned.cookie == cookie, "it kept its session")
      for _ in 0..<DemoWeb.mostVisits {
        var other = Browser(router: router)
        _ = await other.ask(.get, "/")
      }
      #expect(text(await known.ask(.get, "/")).contains("de fiets"))
      _ = await returned.ask(.get, "/")
      #expect(returned.cookie != cookie, "it was the least recently used session without a log-in")
    }
  }

  @Test("a post without a session starts no session", arguments: ["/", "/screens/1/refresh", "/x"])
  func postWithoutSession(path: String) async throws {
    try await withWeb(.stories) { router in
      var stranger = Browser(router: router)
      let answer = await stranger.once(.post, path, String(repeating: "&a=b", count: 100_000))
      #expect(answer?.status == .seeOther && answer?.headers["Set-Cookie"] == nil)
    }
  }

  @Test("a form that is too large is refused with a plain text message, and the session survives")
  func oversizedForm() async throws {
    try await withWeb(.stories) { router in
      var browser = Browser(router: router)
      _ = await browser.ask(.get, "/")
      let refused = await browser.once(
        .post, "/screens/1/refresh", String(repeating: "x", count: DemoWeb.byteLimit + 1))
      #expect(refused?.status == 413 && refused?.headers["Content-Type"] == "text/plain; charset=utf-8")
      #expect(text(refused).contains("larger than 65536 bytes"))
      let foreign = await browser.once(.post, "/screens/1/refresh", String(repeating: "x", count: DemoWeb.byteLimit))
      #expect(foreign?.status == 403)
      #expect(await browser.ask(.get, "/")?.status == .ok)
    }
  }

  @Test("a form is read up to the field limit, and the first of several fields with one name counts")
  func formFieldLimit() {
    let many = (0..<100_000).map { "f\($0)=\($0)" }.joined(separator: "&")
    #expect(DemoWeb.form(Array(many.utf8)).count == DemoWeb.mostFields)
    #expect(DemoWeb.form(Array("a=1&a=2&b=c+d%2B".utf8)) == ["a": "1", "b": "c d+"])
    #expect(DemoWeb.form([]).isEmpty)
  }

  @Test("only Dutch text has the language attribute nl")
  func languageAttributes() async throws {
    try await withWeb(.dictionary) { router in
      var browser = Browser(router: router)
      let words = try await logIn(&browser)
      #expect(
        words.contains(" lang=\"nl\">de fiets</a> <small>bicycle</small>") && words.contains("<h1 id=\"title\">Words<"))
      let row = try #require(words.firstMatch(of: #/href="([^"]*)" lang="nl">de fiets/#)?.1)
      let word = text(await browser.ask(.get, String(row)))
      #expect(
        word.contains("<h1 id=\"title\" lang=\"nl\">fiets</h1>") && word.contains("<dd lang=\"nl\">de fiets</dd>"))
      #expect(word.contains("<p lang=\"nl\">") && word.contains("<dd>bicycle</dd>"))
      let tab = try #require(word.firstMatch(of: #/href="([^"]*tabs\/phrases)"/#)?.1)
      let phrases = text(await browser.ask(.get, String(tab)))
      #expect(phrases.contains(#/rows\/[^"]*" lang="nl">/#), "\(phrases)")
    }
  }
}
