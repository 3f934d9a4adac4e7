import Foundation
import Loopback
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Navigating pages", .timeLimit(.minutes(2)))
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
    page.readiness = [.selector("#next"), .fonts]
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

  @Test("text without an address is placed again after a reload")
  func reloadingText() async throws {
    var page = WebPage(html: "<p>Puffin<script>if (name !== 'again') { name = 'again'; location.reload() }</script>")
    page.readiness = [.predicate("name === 'again'"), .fonts]
    #expect(try await browser.text(of: page) == "Puffin")
    #expect(try await !browser.png(of: page).isEmpty)
  }

  @Test("a page that never rests is a timeout error with its navigations")
  func restless() async throws {
    let (clock, thrice) = (ManualClock(), Signal())
    let page = try page("<p>Puffin<script>setTimeout(() => location.reload(), 1)</script>")
    let tab = try await browser.open(page)
    let task = Task {
      defer { thrice.raise() }
      return await failure {
        try await browser.run(in: tab, within: .seconds(30), on: clock) { notes in
          try await tab.load(page, notes)
          notes.wait(for: "an end")
          try await tab.withDocument(of: page, notes) {
            if notes.navigations > 2 { thrice.raise() }
            try await tab.untilFailure() as Void
          }
        }
      }
    }
    await thrice.wait()
    let error = try #require(try await advancing(clock) { await task.value })
    #expect(error.kind == .timedOut)
    // The browser may be loading the next document just then.
    let awaited = ["an end", "the load event"]
    #expect(
      awaited.contains { error.description.contains("timed out after 30.0 seconds while waiting for \($0).") },
      "\(error)")
    #expect(error.description.contains("The page keeps navigating: it went to another document"), "\(error)")
    tab.close()
  }

  @Test("a reload of text, which is placed again, is one navigation")
  func countedReload() async throws {
    let (clock, again) = (ManualClock(), Signal())
    let page = WebPage(html: "<p>Puffin<script></script>")
    let tab = try await browser.open(page)
    let task = Task {
      defer { again.raise() }
      return await failure {
        try await browser.run(in: tab, within: .seconds(30), on: clock) { notes in
          try await tab.load(page, notes)
          try await tab.withDocument(of: page, notes) {
            notes.wait(for: "an end")
            let reload = "name === 'again' || (name = 'again', location.reload())"
            let reply = try await tab.send("Runtime.evaluate", ["expression": .string(reload)])
            if reply["result"]?["value"] == true { again.raise() }
            try await tab.untilFailure() as Void
          }
        }
      }
    }
    await again.wait()
    clock.advance(by: .seconds(30))
    let error = try #require(await task.value)
    #expect(
      error.description.contains(
        "waiting for an end. Completed: the load event. The page went to another document once."), "\(error)")
    tab.close()
  }

  @Test("a timeout during a navigation names the load event only")
  func onItsWay() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/") { _ in .html("<p>Puffin") }
        Route(.get, "/next") { _ in .html("<p>Auk<img src=/never>") }
        Route(.get, "/never") { _ in HTTPReply.never }
      })
    let (clock, going) = (ManualClock(), Signal())
    let page = WebPage(url: server.url)
    let tab = try await browser.open(page)
    let task = Task {
      defer { going.raise() }
      return await failure {
        try await browser.run(in: tab, within: .seconds(30), on: clock) { notes in
          try await tab.load(page, notes)
          notes.wait(for: "an end")
          Task {
            try await poll(while: notes.interruption == nil)
            going.raise()
          }
          try await tab.withDocument(of: page, notes) {
            try await tab.send("Runtime.evaluate", ["expression": "location = '/next'"])
            try await tab.untilFailure() as Void
          }
        }
      }
    }
    await going.wait()
    clock.advance(by: .seconds(30))
    let error = try #require(await task.value)
    #expect(
      error.description.contains("waiting for the load event. The page went to another document once."), "\(error)")
    tab.close()
    await server.stop(grace: .zero)
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
          "https://auks.example/, to which the page navigates: the page has no access to this address"),
        "\(error)")
    }
  }

  @Test("a redirect to a refused address or to a file is an error")
  func redirections() async throws {
    let base = try #require(base)
    for (target, words) in [
      ("https://auks.example/", "or to one that it redirects to (net::ERR_BLOCKED_BY_CLIENT)"),
      ("file:///etc/passwd", "a redirect leads to an address that is not allowed (net::ERR_UNSAFE_REDIRECT)"),
    ] {
      let response = WebPage.Response(status: 302, headers: ["Location": target], body: Data())
      let page = WebPage(url: base, network: .responses([base: response]))
      let error = try #require(await failure { try await browser.png(of: page) }, "\(target)")
      #expect(error.kind == .cannotLoad && error.description.contains(words), "\(error)")
    }
  }

  @Test("a failure status without content is an error, and with content it is captured")
  func failures() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/empty") { _ in HTTPResponse(.internalServerError) }
        Route(.get, "/nothing") { _ in HTTPResponse(.noContent) }
        Route(.get, "/missing") { _ in .html("<p>No such bird", status: .notFound) }
        Route(.get, "/blank") { _ in .html("") }
        Route(.get, "/away") { _ in HTTPResponse(.seeOther, headers: ["Location": "/empty"]) }
        Route(.get, "/file") { _ in HTTPResponse(.seeOther, headers: ["Location": "file:///etc/passwd"]) }
        Route(.get, "/loop") { _ in HTTPResponse(.seeOther, headers: ["Location": "/loop"]) }
        Route(.get, "/reset") { _ in HTTPReply.reset }
        Route(.get, "/save") { _ in HTTPResponse(.ok, headers: ["Content-Disposition": "attachment"], body: [65]) }
      })
    for (path, words) in [
      ("empty", "status 500 and no content"), ("nothing", "a download or has no content (net::ERR_ABORTED)"),
      ("away", "status 500 and no content"), ("file", "a redirect leads to an address that is not allowed"),
      ("save", "a download or has no content (net::ERR_ABORTED)"), ("reset", "the server closed the connection"),
      ("loop", "the server redirects without end (net::ERR_TOO_MANY_REDIRECTS). Check the address"),
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
}
