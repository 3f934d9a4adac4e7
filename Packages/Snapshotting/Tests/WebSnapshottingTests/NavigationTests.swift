import Foundation
import Loopback
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Navigating pages", .timeLimit(.minutes(5)))
struct NavigationTests {
  private let browser = Browser.shared
  private let base = URL(string: "https://birds.example/")

  private func page(_ html: String, _ more: [String: WebPage.Response] = [:]) throws -> WebPage {
    let base = try #require(base)
    var responses = [base: WebPage.Response(Data(html.utf8), type: "text/html")]
    for (path, response) in more { responses[base.appending(path: path)] = response }
    return WebPage(url: base, network: .responses(responses))
  }

  @Test(
    "a page that navigates is captured at its target",
    arguments: [
      "<script>location.href = '/next'</script>", "<script>onload = () => location.href = '/next'</script>",
      "<meta http-equiv=refresh content='0; url=/next'>",
      "<script>setTimeout(() => location.replace('/next'), 5)</script>",
      "<script>requestAnimationFrame(() => requestAnimationFrame(() => location.assign('/next')))</script>",
    ])
  func redirected(_ html: String) async throws {
    var page = try page("<p>Auk\(html)", ["next": WebPage.Response(Data("<p id=next>Puffin".utf8), type: "text/html")])
    page.readiness = [.selector("#next")]
    #expect(try await browser.text(of: page) == "Puffin")
    #expect(try await !browser.png(of: page).isEmpty)
    page.readiness = [.predicate("document.body.innerText === 'Puffin'")]
    #expect(try await browser.text(of: page) == "Puffin")
  }

  @Test("a page that reloads itself a few times is captured at rest")
  func reloading() async throws {
    let script = """
      const turn = Number(sessionStorage.turn ?? 0); sessionStorage.turn = turn + 1; document.body.append(turn)
      if (turn < 5) setTimeout(() => location.reload(), 3); else globalThis.rests = true
      """
    var page = try page("<body><script>\(script)</script>")
    page.readiness = [.predicate("globalThis.rests")]
    #expect(try await browser.text(of: page) == "5")
  }

  @Test(
    "a navigation to a refused address is an error with the address",
    arguments: [
      "<meta http-equiv=refresh content='0; url=https://auks.example/'>",
      "<script>location = 'https://auks.example/'</script>",
      "<script>onload = () => setTimeout(() => location = 'https://auks.example/', 1)</script>",
    ])
  func leadingNowhere(_ html: String) async throws {
    for page in [try page(html), WebPage(html: html)] {
      var page = page
      page.readiness = [.predicate("false")]
      let error = try #require(await failure { try await browser.png(of: page) })
      #expect(error.kind == .cannotLoad, "\(error)")
      #expect(
        error.description.contains(
          "Cannot load https://auks.example/: there is no response, or the page has no access to this address"),
        "\(error)")
    }
  }

  @Test("a failed navigation is an error, and a page with a failure status is captured")
  func failures() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/nothing") { _ in HTTPResponse(.noContent) }
        Route(.get, "/missing") { _ in .html("<p>No such bird", status: .notFound) }
        Route(.get, "/blank") { _ in .html("") }
        Route(.get, "/file") { _ in HTTPResponse(.seeOther, headers: ["Location": "file:///etc/passwd"]) }
        Route(.get, "/loop") { _ in HTTPResponse(.seeOther, headers: ["Location": "/loop"]) }
        Route(.get, "/reset") { _ in HTTPReply.reset }
        Route(.get, "/save") { _ in HTTPResponse(.ok, headers: ["Content-Disposition": "attachment"], body: [65]) }
      })
    for (path, words) in [
      ("nothing", "net::ERR_ABORTED"),
      ("file", "ERR_UNSAFE_REDIRECT"),
      ("save", "net::ERR_ABORTED"), ("reset", "ERR_CONNECTION_RESET"),
      ("loop", "ERR_TOO_MANY_REDIRECTS"),
    ] {
      let page = WebPage(url: server.url.appending(path: path))
      let error = try #require(await failure { try await browser.png(of: page) }, "\(path)")
      #expect(error.kind == .cannotLoad && error.description.contains(words), "\(path) \(error)")
    }
    #expect(try await browser.text(of: WebPage(url: server.url.appending(path: "missing"))) == "No such bird")
    #expect(try await browser.text(of: WebPage(url: server.url.appending(path: "blank"))) == "")
    var offline = WebPage(url: server.url.appending(path: "missing"), network: .off)
    #expect(await failure { try await browser.png(of: offline) }?.kind == .cannotLoad)
    offline.network = .responses([:])
    #expect(await failure { try await browser.png(of: offline) }?.kind == .cannotLoad)
    await server.stop(grace: .zero)
  }

  @Test("a password in an address does not appear in an error")
  func password() async throws {
    let page = WebPage(url: try #require(URL(string: "http://ayaka:tulp@127.0.0.1:9/birds")))
    let error = try #require(await failure { try await browser.png(of: page) })
    #expect(error.description.contains("http://127.0.0.1:9/birds") && !error.description.contains("tulp"))
  }
}
