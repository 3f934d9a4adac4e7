import Coordinators
import CoordinatorsWeb
import Testing

/// A browser with one cookie.
@MainActor
private final class Browser {
  let sessions: WebSessions<Kitchen>
  var cookie = ""

  init(_ sessions: WebSessions<Kitchen>) { self.sessions = sessions }

  func get(_ target: String, _ method: String = "GET") async -> WebResponse {
    await send(WebRequest(method, target, cookie: "other=1; \(cookie)"))
  }

  func send(_ request: WebRequest) async -> WebResponse {
    let response = await sessions.respond(to: request)
    if let set = response.headers["Set-Cookie"] { cookie = String(set.split(separator: ";")[0]) }
    return response
  }
}

@MainActor
@Suite("Sessions of browsers")
struct SessionTests {
  private static func sessions(isSecure: Bool = false, limit: Int = 10) -> WebSessions<Kitchen> {
    WebSessions(cookie: "kitchen", isSecure: isSecure, limit: limit) {
      WebApp(start: { Recorder($0, Kitchen.tabs) }, links: Kitchen.links) { screen in
        let form = Page<Kitchen>.Form(id: "f", submit: "Find", fields: [PageField("text", "Text")]) {
          .find($0["text"])
        }
        return screen == .recipes ? Page("Recipes", [.form(form)]) : Page("\(screen)")
      }
    }
  }

  @Test("each browser has a session of its own, whose cookie scripts and other sites cannot use")
  func eachBrowserHasItsSession() async {
    let sessions = Self.sessions()
    let (ann, bob) = (Browser(sessions), Browser(sessions))
    let first = await ann.get("/")
    #expect(
      first.headers["Set-Cookie"]?.contains(#/^kitchen=[0-9a-z]+-[0-9a-z]+; Path=\/; HttpOnly; SameSite=Lax$/#) == true)
    #expect(await ann.get("/recipes/7").headers["Set-Cookie"] == nil)
    #expect(await bob.get("/").location == "/recipes" && ann.cookie != bob.cookie)
    #expect(await ann.get("/").location == "/recipes/7" && sessions.count == 2)
    #expect(await Browser(Self.sessions(isSecure: true)).get("/").headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
  }

  @Test("a shared link opens its screen in a new session")
  func sharedLink() async {
    let answer = await Browser(Self.sessions()).get("/recipes/42")
    #expect(answer.status == 200 && answer.body.contains(">recipe(42)</h1>"))
  }

  @Test("a form of an ended session is shown again with its input, and then sent")
  func formOfEndedSession() async throws {
    let sessions = Self.sessions(limit: 1)
    let (ann, bob) = (Browser(sessions), Browser(sessions))
    let old = await ann.get("/recipes").values(of: "value")
    _ = await bob.get("/")
    #expect(sessions.count == 1)
    let target = "/recipes?~form=f"
    let again = await ann.send(
      .form(target, ["token": old[0], "node": old[1], "field-text": "soup"], cookie: ann.cookie))
    #expect(again.status == 403 && again.body.contains("value=\"soup\""))
    let new = again.values(of: "value")
    try #require(new.count > 1)
    let sent = await ann.send(
      .form(target, ["token": new[0], "node": new[1], "field-text": "soup"], cookie: ann.cookie))
    #expect(sent.status == 303 && new[0] != old[0])
  }

  @Test("the session that was not used for the longest time ends first")
  func leastRecentlyUsedEndsFirst() async {
    let sessions = Self.sessions(limit: 2)
    let browsers = (0..<3).map { _ in Browser(sessions) }
    for browser in browsers.prefix(2) { _ = await browser.get("/recipes/7") }
    _ = await browsers[0].get("/")
    _ = await browsers[2].get("/")
    #expect(await browsers[0].get("/").location == "/recipes/7")
    #expect(await browsers[1].get("/").location == "/recipes")
  }

  @Test("requests without a cookie end no session that was used again")
  func requestsWithoutCookie() async {
    let sessions = Self.sessions(limit: 2)
    let ann = Browser(sessions)
    for path in ["/", "/recipes/7"] { _ = await ann.get(path) }
    for _ in 0..<5 { _ = await Browser(sessions).get("/") }
    #expect(await ann.get("/").location == "/recipes/7" && sessions.count == 2)
  }

  @Test("requests for the script, and methods without a page, begin no session")
  func requestsWithoutSession() async {
    let browser = Browser(Self.sessions())
    for (target, method, status) in [("/~shell.js", "GET", 200), ("/recipes", "HEAD", 200), ("/recipes", "PUT", 405)] {
      let answer = await browser.get(target, method)
      #expect(answer.status == status && answer.headers["Set-Cookie"] == nil)
    }
    #expect(browser.sessions.count == 0)
  }
}
