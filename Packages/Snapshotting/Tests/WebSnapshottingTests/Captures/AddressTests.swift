import Foundation
import Loopback
import Testing

@testable import WebSnapshotting

@Suite("Addresses of pages", .timeLimit(.minutes(2)))
struct AddressTests {
  private let browser = Browser.shared

  @Test(
    "text is at its base URL, which is never requested",
    arguments: [
      "http://127.1:PORT/x/../y", "http://127.0.0.1:PORT/a?q='x'", "http://0x7f.1:PORT/%2e%2E/|#a",
      "http://127.0.0.1.:PORT/",
      "http://127.0.0.1:PORT",
    ])
  func base(_ spelling: String) async throws {
    let hits = Hits()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/") { _ in hits.add() }
        Route(.get, "/:name") { _ in hits.add() }
      })
    let port = try #require(server.url.port)
    let base = try #require(URL(string: spelling.replacing("PORT", with: "\(port)")))
    for network in [WebPage.Network.on, .off, .responses([:])] {
      let page = WebPage(
        html: "<p>Puffin<script>console.log(document.body.innerText, location.host)</script>", baseURL: base,
        network: network)
      #expect(try await browser.console(of: page) == "log: Puffin 127.0.0.1:\(port)\n", "\(network)")
    }
    #expect(hits.count == 0)
    await server.stop(grace: .zero)
  }

  @Test("text that loads itself again does not request its base URL", arguments: ["http://127.1:PORT/x/../y"])
  func reload(_ spelling: String) async throws {
    let hits = Hits()
    let server = try await HTTPServer.start(Router { Route(.get, "/:name") { _ in hits.add() } })
    let port = try #require(server.url.port)
    let base = try #require(URL(string: spelling.replacing("PORT", with: "\(port)")))
    for network in [WebPage.Network.on, .off, .responses([:])] {
      var page = WebPage(
        html: "<p>Auk<script>if (!sessionStorage.a) { sessionStorage.a = 1; location.reload() }</script>",
        baseURL: base, network: network)
      page.readiness = [.predicate("performance.getEntriesByType('navigation')[0].type === 'reload'")]
      #expect(try await browser.text(of: page) == "Auk", "\(network)")
    }
    #expect(hits.count == 0)
    await server.stop(grace: .zero)
  }

  @Test("a response is found for another spelling of its address")
  func responses() async throws {
    let url = try #require(URL(string: "https://birds.example/coast/../list?q[]='a|b'"))
    var page = WebPage(
      html:
        "<script>fetch(`https://birds.example/./list?q[]='a|b'`).then(r => r.text()).then(t => document.body.append(t))</script>",
      network: .responses([url: WebPage.Response(Data("Auk".utf8), type: "text/plain")]))
    page.readiness = [.predicate("document.body.innerText !== ''")]
    #expect(try await browser.text(of: page) == "Auk")
  }
}
