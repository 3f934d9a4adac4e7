import Testing

@testable import Loopback

@Suite struct RouterTests {
  struct Oops: Error {}

  let router = Router {
    Route(.get, "/birds") { _ in .json(["puffin", "swift"]) }
    Route(.get, "/birds/count") { _ in .text("2") }
    Route(.get, "/birds/:name") { request in .text("bird \(request.parameters["name"] ?? "?")") }
    Route(.delete, "/birds/:name") { _ in HTTPReply.reset }
    Route(.get, "/files/*path") { request in .text(request.parameters["path"] ?? "?") }
    Route(.post, "/slow") { request in .text(request.text) }
    Route(.get, "/throws") { _ -> HTTPResponse in throw Oops() }
    Route(.head, "/own") { _ in HTTPResponse(.noContent) }
    Route(.get, "/own") { _ in .text("got") }
  }

  func answer(_ method: HTTPMethod, _ path: String, _ body: String = "") async -> HTTPResponse? {
    await router.reply(to: HTTPRequest(method, path, body: Array(body.utf8))).response
  }

  @Test func `the first matching route handles a request`() async {
    #expect(await answer(.get, "/birds") == .json(text: #"["puffin","swift"]"#))
    #expect(await answer(.get, "/birds/count") == .text("2"))
    #expect(await answer(.get, "/birds/puffin") == .text("bird puffin"))
    #expect(await answer(.get, "/birds/a b") == .text("bird a b"))
  }

  @Test func `a route can return a fault`() async {
    #expect(await router.reply(to: HTTPRequest(.delete, "/birds/puffin")) == .reset)
  }

  @Test func `a rest matches one or more segments, and never an absolute path`() async {
    #expect(await answer(.get, "/files/a") == .text("a"))
    #expect(await answer(.get, "/files/a/b.png") == .text("a/b.png"))
    #expect(await answer(.get, "/files/a/") == .text("a/"))
    for path in ["/files", "/files/", "/files//etc/passwd"] {
      #expect(await answer(.get, path)?.status == .notFound, "\(path)")
    }
  }

  @Test(arguments: ["/", "/bird", "/birds/", "/birds//", "/birds/a/b", ""])
  func `a path without a matching pattern gets 404`(path: String) async {
    #expect(await answer(.get, path)?.status == .notFound)
  }

  @Test func `a path with another method gets 405 and the allowed methods`() async {
    let response = await answer(.put, "/birds/puffin")
    #expect(response?.status == .methodNotAllowed)
    #expect(response?.headers["Allow"] == "DELETE, GET, HEAD")
    #expect(await answer(.post, "/birds")?.headers.values(for: "Allow") == ["GET, HEAD"])
    #expect(await answer(HTTPMethod(rawValue: "BREW"), "/slow")?.headers.values(for: "Allow") == ["POST"])
  }

  @Test func `HEAD uses the route for GET unless it has another`() async {
    #expect(await answer(.head, "/birds/count") == .text("2"))
    #expect(await answer(.head, "/own")?.status == .noContent)
  }

  @Test func `a thrown error gets 500 with its description`() async {
    let response = await answer(.get, "/throws")
    #expect(response?.status == .internalServerError)
    let text = response.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(text?.contains("Oops") == true)
  }

  @Test func `mapReplies changes replies in order, also to requests without a route`() async {
    let flaky =
      router
      .mapReplies { request, reply in request.path == "/birds" ? .disconnected : reply }
      .mapReplies { _, reply in .delayed(by: .seconds(1), reply) }
    #expect(await flaky.reply(to: HTTPRequest(.get, "/birds")) == .delayed(by: .seconds(1), .disconnected))
    #expect(await flaky.reply(to: HTTPRequest(.get, "/none")).response?.status == .notFound)
  }

  @Test func `a router can contain loops and other routers with mapped replies`() async {
    let whole = Router {
      router.mapReplies { _, _ in .reset }
      for name in ["a", "b"] { Route(.get, "/letter/\(name)") { _ in .text(name) } }
    }
    #expect(await whole.reply(to: HTTPRequest(.get, "/letter/b")).response == .text("b"))
    #expect(await whole.reply(to: HTTPRequest(.get, "/birds")) == .reset)
    #expect(whole.routes.count == router.routes.count + 2)
  }

  @Test func `a value that cannot be encoded as JSON gets 500 with its type`() {
    let response = HTTPResponse.json(Double.nan)
    #expect(response.status == .internalServerError)
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("Double"))
  }
}
