import Foundation
import Loopback
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Networks, files and addresses", .timeLimit(.minutes(2)))
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
    var online = WebPage(html: "<img src='\(url)/b.png'>", network: .on)
    online.readiness = [.networkIdle(for: .milliseconds(1))]
    _ = try await browser.png(of: online)
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

  @Test("a response may have any usual status", arguments: [200, 404, 418, 503])
  func status(_ status: Int) async throws {
    let response = WebPage.Response(
      status: status, headers: ["Content-Type": "text/html", "X-Of_birds": "a; b"], body: Data("<p>Puffin".utf8))
    let base = try #require(base)
    #expect(try await browser.text(of: WebPage(url: base, network: .responses([base: response]))) == "Puffin")
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

  @Test("headers, cookies, local storage and credentials reach the page and the server")
  func state() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/page") { request in
          guard request.headers["authorization"] == "Basic YXlha2E6dHVscA==" else {
            return HTTPResponse(HTTPStatus(401), headers: ["WWW-Authenticate": "Basic realm=\"birds\""])
          }
          let sent = "\(request.headers["x-bird"] ?? "none") \(request.headers["cookie"] ?? "none")"
          return .html(
            "<b>\(sent)</b><script>document.body.append(' ', document.cookie, ' ', localStorage.theme)</script>")
        }
      })
    var page = WebPage(url: server.url.appending(path: "page"))
    page.headers = ["X-Bird": "Puffin"]
    page.cookies = ["session": "17"]
    page.localStorage = ["theme": "dark"]
    #expect(try await browser.text(of: page) == "")
    page.credentials = .init(user: "ayaka", password: "tulp")
    let text = try await browser.text(of: page)
    #expect(text == "Puffin session=17 session=17 dark")
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

  @Test("a page from a file reads its own folder and subfolders only")
  func canary() async throws {
    let folder = try TemporaryFolder()
    let (site, canary) = ("\(folder.path)/site", "\(folder.path)/canary")
    for path in ["\(site)/below", canary] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    for (path, text) in [
      ("\(site)/below/in.svg", circle), ("\(canary)/out.svg", circle),
      ("\(canary)/out.js", "globalThis.seen = 'CANARY'"),
      ("\(canary)/out.css", "body { --seen: CANARY }"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    try FileManager.default.createSymbolicLink(atPath: "\(site)/link", withDestinationPath: canary)
    let roots = ["../canary", "%2e%2e/canary", "link", "below/../../canary", "file://\(canary)"]
    let html = """
      <body><img src=below/in.svg>\(roots.map { """
        <img src='\($0)/out.svg'><iframe src='\($0)/out.svg'></iframe><script src='\($0)/out.js'></script>
        <link rel=stylesheet href='\($0)/out.css'>
        """ }.joined())<script>
        onload = async () => {
          const texts = (await Promise.allSettled([\(roots.map { "fetch('\($0)/out.css')" }.joined(separator: ", "))])).map((r) => r.status);
          console.log([...document.images].map((i) => i.naturalWidth).join(), new Set(texts).size, texts[0],
            typeof seen, getComputedStyle(document.body).getPropertyValue('--seen') === '');
          globalThis.done = true;
        };
      </script>
      """
    let index = URL(fileURLWithPath: "\(site)/index.html")
    try Data(html.utf8).write(to: index)
    for (content, network) in zip([WebPage.Content.file(index), .url(index), .file(index)], Self.networks) {
      var page = WebPage(content, network: network)
      page.readiness = [.predicate("globalThis.done")]
      let console = try await browser.console(of: page).split(separator: "\n").filter { $0.hasPrefix("log: ") }
      #expect(console == ["log: 7,0,0,0,0,0 1 rejected undefined true"], "\(content) \(network)")
    }
  }

  @Test("a missing file is an error")
  func noFile() async throws {
    let page = WebPage(file: URL(fileURLWithPath: "/none.html"))
    let error = try #require(await failure { try await browser.png(of: page) })
    #expect(error.kind == .cannotLoad && error.description.contains("A file must exist in the folder"), "\(error)")
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
