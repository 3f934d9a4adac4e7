import Foundation
import Loopback
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Networks, files and addresses", .timeLimit(.minutes(5)))
struct NetworkTests {
  private let browser = Browser.shared
  private let base = URL(string: "https://birds.example/")
  private static let networks = [WebPage.Network.on, .off, .responses([:])]

  private func page(_ html: String, _ response: WebPage.Response, at address: String) throws -> WebPage {
    let url = try #require(URL(string: address))
    var page = WebPage(html: html, network: .responses([url: response]))
    page.readiness = [.predicate("document.body.innerText !== ''")]
    return page
  }

  @Test("text reaches neither the network nor files")
  func offline() async throws {
    let hits = Hits()
    let server = try await HTTPServer.start(Router { Route(.get, "/:name") { _ in hits.add() } })
    let url = server.url.absoluteString
    let html = """
      <link rel=stylesheet href="\(url)/a.css"><link rel=preconnect href="\(url)"><img src="\(url)/b.png">
      <iframe src="\(url)/c"></iframe><iframe src="file:///etc/passwd"></iframe>
      <script>
        const all = [fetch('\(url)/d'), fetch('file:///etc/passwd'), new Promise((_, no) => new WebSocket('\(url)/e'.replace('http', 'ws')).onerror = no),
          new Promise((yes, no) => new Worker(URL.createObjectURL(new Blob([`fetch('\(url)/g').then(() => postMessage(1), () => postMessage(0))`])))
            .onmessage = (m) => m.data ? yes() : no())];
        navigator.sendBeacon('\(url)/h');
        Promise.allSettled(all).then((r) => { console.log(r.map((x) => x.status).join()); globalThis.done = true });
      </script>
      """
    for network in [WebPage.Network.off, .responses([:])] {
      for base in [nil, base] {
        var page = WebPage(html: html, baseURL: base, network: network)
        page.readiness = [.predicate("globalThis.done")]
        let console = try await browser.console(of: page)
        #expect(console.contains("rejected,rejected,rejected,rejected"), "\(network) \(console)")
      }
    }
    #expect(hits.count == 0)
    _ = try await browser.png(of: WebPage(html: "<img src='\(url)/b.png'>", network: .on))
    #expect(hits.count == 1)
    await server.stop(grace: .zero)
  }

  @Test(
    "a response is found for each spelling of its address",
    arguments: [
      ("https://birds.example/list", "https://birds.example/list"),
      ("https://auks.example#a", "https://auks.example/"),
      ("https://birds.example/list?q[]='a|b'", "https://birds.example/coast/../list?q[]='a|b'"),
    ])
  func spelling(_ given: String, _ asked: String) async throws {
    let html = "<script>fetch(`\(asked)`).then(r => r.text()).then(t => document.body.append(t))</script>"
    let page = try page(html, WebPage.Response(Data("Auk".utf8), type: "text/plain"), at: given)
    #expect(try await browser.text(of: page) == "Auk")
  }

  @Test("a response with an invalid header is an error")
  func impossible() async throws {
    let base = try #require(base)
    let response = WebPage.Response(headers: ["Content-Type": "a\r\nb"], body: Data())
    let error = try #require(
      await failure { try await browser.png(of: WebPage(url: base, network: .responses([base: response]))) })
    #expect(error.kind == .cannotLoad && error.description.contains("ERR_FAILED"), "\(error)")
  }

  @Test("text is at its base URL, which is never requested, also when it loads itself again", arguments: networks)
  func base(_ network: WebPage.Network) async throws {
    let hits = Hits()
    let server = try await HTTPServer.start(Router { Route(.get, "/:name") { _ in hits.add() } })
    let port = try #require(server.url.port)
    for spelling in ["http://127.1:PORT/x/../y", "http://0x7f.1:PORT/%2e%2E/|#a", "http://127.0.0.1:PORT"] {
      var page = WebPage(
        html: """
          <p>Puffin<script>
            if (!sessionStorage.a) { sessionStorage.a = 1; location.reload() } else console.log(location.host);
          </script>
          """, baseURL: URL(string: spelling.replacing("PORT", with: "\(port)")), network: network)
      page.readiness = [.predicate("performance.getEntriesByType('navigation')[0].type === 'reload'")]
      #expect(try await browser.console(of: page) == "log: 127.0.0.1:\(port)\n")
      #expect(try await browser.text(of: page) == "Puffin")
    }
    #expect(hits.count == 0)
    await server.stop(grace: .zero)
  }

  @Test("headers, cookies, local storage and the password of the address reach the page and the server")
  func state() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/page") { request in
          guard request.headers["authorization"] == "Basic YXlha2E6dHVscA==" else {
            return HTTPResponse(HTTPStatus(401), headers: ["WWW-Authenticate": "Basic realm=\"birds\""])
          }
          let sent =
            "\(request.headers["x-bird"] ?? "none") \(request.headers["accept-language"] ?? "none") \(request.headers["cookie"] ?? "none")"
          return .html(
            "<b>\(sent)</b><script>document.body.append(' ', document.cookie, ' ', localStorage.theme)</script>")
        }
      })
    #expect(try await browser.text(of: WebPage(url: server.url.appending(path: "page"))) == "")
    var page = WebPage(url: try #require(URL(string: "http://ayaka:tulp@127.0.0.1:\(server.port)/page")))
    page.headers = ["X-Bird": "Puffin"]
    page.cookies = ["session": "17", "bird": "Auk", "tide": "3", "coast": "b"]
    page.localStorage = ["theme": "dark"]
    let cookies = "bird=Auk; coast=b; session=17; tide=3"
    #expect(try await browser.text(of: page) == "Puffin en-US \(cookies) \(cookies) dark")
    await server.stop(grace: .zero)
  }

  @Test("an off-line page sees that, and its requests fail except for given responses")
  func offLine() async throws {
    let base = try #require(base)
    let html = """
      <script>Promise.all(['/a', '/b'].map((url) => fetch(url).then((r) => r.text(), () => 'failed')))
        .then((all) => document.body.append(navigator.onLine, ' ', ...all))</script>
      """
    var page = WebPage(
      html: html, baseURL: base,
      network: .responses([base.appending(path: "a"): WebPage.Response(Data("given ".utf8), type: "text/plain")]))
    page.isOffline = true
    page.readiness = [.predicate("document.body.innerText !== ''")]
    #expect(try await browser.text(of: page) == "false given failed")
  }

  @Test("a page from a file shows files beside and above it, and its scripts read none", arguments: networks)
  func files(_ network: WebPage.Network) async throws {
    let folder = try TemporaryFolder()
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    try FileManager.default.createDirectory(atPath: folder.file("site"), withIntermediateDirectories: true)
    for path in ["out.svg", "site/in.svg"] { try Data(circle.utf8).write(to: URL(filePath: folder.file(path))) }
    let html = """
      <body><img src=in.svg><img src=../out.svg><script>
        onload = async () => {
          const texts = await Promise.allSettled([fetch('in.svg'), fetch('../out.svg'), fetch('file:///etc/passwd')]);
          console.log([...document.images].map((i) => i.naturalWidth).join(), texts.map((r) => r.status).join());
          globalThis.done = true;
        };
      </script>
      """
    let index = URL(filePath: folder.file("site/index.html"))
    try Data(html.utf8).write(to: index)
    var page = WebPage(file: index, network: network)
    page.readiness = [.predicate("globalThis.done")]
    #expect(try await browser.console(of: page).contains("log: 7,7 rejected,rejected,rejected\n"))
  }

  @Test(
    "an address that cannot be loaded is an error with the cause",
    arguments: [
      ("file:///none.html", "A file must exist"), ("/relative", "Cannot load /relative: the address has no scheme"),
      ("https://birds.example", "ERR_INTERNET_DISCONNECTED because of `isOffline`"),
    ])
  func invalid(_ address: String, _ words: String) async throws {
    var page = WebPage(url: try #require(URL(string: address)))
    page.isOffline = address.hasPrefix("https")
    let error = try #require(await failure { try await browser.png(of: page) })
    #expect(error.kind == .cannotLoad && error.description.contains(words), "\(error)")
  }
}

/// Counts requests.
///
/// `@unchecked Sendable`: `lock` guards the number.
final class Hits: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }

  func add() -> HTTPResponse {
    lock.withLock { number += 1 }
    return .text("hit")
  }
}
