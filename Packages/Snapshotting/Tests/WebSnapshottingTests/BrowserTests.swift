import Foundation
import Loopback
import Snapshotting
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("The life of a browser", .timeLimit(.minutes(5)))
struct BrowserTests {
  @Test("the first browser in the path is found, and a missing one is an error that says what to install")
  func finding() throws {
    func find(_ wanted: String?, _ programs: Set<String>) -> Result<String, WebError> {
      Result { () throws(WebError) in
        try BrowserProcess.find(wanted, path: "/a:/usr/bin", isExecutable: { programs.contains($0) })
      }
    }
    #expect(try find(nil, ["/usr/bin/chromium", "/a/google-chrome"]).get() == "/usr/bin/chromium")
    #expect(try find("google-chrome", ["/a/google-chrome"]).get() == "/a/google-chrome")
    // A script of Debian stands before the program.
    let both: Set = ["/usr/bin/chromium", "/usr/lib/chromium/chromium"]
    #expect(try find(nil, both).get() == "/usr/lib/chromium/chromium")
    for (wanted, words) in [(nil, "apt-get install chromium-headless-shell"), ("/b", "Cannot find the browser /b")] {
      let error = #expect(throws: WebError.self) { try find(wanted, []).get() }
      #expect(error?.kind == .noBrowser && error?.description.contains(words) == true)
    }
  }

  @Test("a program that ends at once is an error with its standard error")
  func noBrowser() async throws {
    let browser = Browser(Browser.Configuration(executable: "/bin/ls", isSandboxed: false))
    let error = try #require(await failure { try await browser.running() })
    #expect(error.kind == .cannotStart && error.description.contains("it ended before it answered"), "\(error)")
    #expect(error.description.contains("unrecognized option"), "\(error)")
  }

  @Test("a program that never answers is an error after the time limit, and a cancelled start returns at once")
  func silent() async throws {
    let program = try #require(Bundle.module.url(forResource: "Programs/says-nothing", withExtension: nil)).path
    let clock = ManualClock()
    let browser = Browser(Browser.Configuration(executable: program, isSandboxed: false), clock: clock)
    let cancelled = Task { await failure { try await browser.running() } }
    let waiting = Task { await failure { try await browser.png(of: WebPage(html: "<p>Puffin")) } }
    cancelled.cancel()
    #expect(await cancelled.value?.kind == .cancelled)
    try await clock.advanceToNextSleep()
    let error = try #require(await waiting.value)
    #expect(error.kind == .cannotStart && error.description.contains("within 60.0 seconds"), "\(error)")
  }

  @Test("a browser ends with its pipe, and leaves neither processes nor files")
  func pipe() async throws {
    let process = try BrowserProcess(Browser.Configuration(), path: ProcessInfo.processInfo.environment["PATH"])
    // As when this process is killed.
    close(process.socket)
    try await poll(while: FileManager.default.fileExists(atPath: process.folder.path))
    try await poll(while: kill(-process.group, 0) == 0)
    _ = process.end()
  }

  @Test("a capture in flight fails when the browser is killed, and the next one starts another")
  func killed() async throws {
    let browser = Browser()
    let asked = Log<Bool>()
    let server = try await silentServer(asked)
    var page = WebPage(html: "<script>fetch('\(server.url.appending(path: "never"))')</script>", network: .on)
    page.readiness = [.predicate("false")]
    let capture = Task { [page] in await failure { try await browser.png(of: page) } }
    await asked.first(1)
    kill(-(try await browser.running().process), SIGKILL)
    #expect(await capture.value?.kind == .browserEnded)
    #expect(try await browser.text(of: WebPage(html: "<p>Auk")) == "Auk")
    let process = try await browser.running().process
    await browser.close()
    try await poll(while: kill(-process, 0) == 0)
    await server.stop(grace: .zero)
  }

  @Test("a cancelled capture ends at once, and returns its tab")
  func cancelled() async throws {
    let browser = Browser(Browser.Configuration(tabs: 1))
    let asked = Log<Bool>()
    let server = try await silentServer(asked)
    let page = WebPage(url: server.url.appending(path: "never"))
    let capture = Task { await failure { try await browser.png(of: page) } }
    await asked.first(1)
    let queued = Task { await failure { try await browser.png(of: WebPage(html: "<p>Tern")) } }
    queued.cancel()
    capture.cancel()
    #expect(await queued.value?.kind == .cancelled)
    #expect(await capture.value?.kind == .cancelled)
    #expect(try await browser.text(of: WebPage(html: "<p>Auk")) == "Auk")
    let connection = try await browser.running().connection
    // The tab of the last page waits for the next page, and the cancelled capture has closed its tab.
    try await poll(while: try await contexts(connection) != 1)
    await browser.close()
    await server.stop(grace: .zero)
  }

  private func contexts(_ connection: Connection) async throws -> Int {
    try await connection.send("Target.getBrowserContexts")["browserContextIds"]?.array?.count ?? 0
  }

  @Test("pages that crash or close their window are errors, and do not affect the next page")
  func crashes() async throws {
    for (html, kind) in [("<script>window.close()</script>", WebError.Kind.cannotLoad), ("<p>", .pageCrashed)] {
      var page = WebPage(html: html)
      page.readiness = [.predicate("false")]
      let tab = try await Browser.shared.running().openTab(for: page)
      let capture = Task { [page] in await failure { try await tab.capture(page) { _ in } } }
      if kind == .pageCrashed {
        try await poll(while: tab.state.loadCount == 0)
        _ = try? await tab.send("Page.crash")
      }
      #expect(await capture.value?.kind == kind)
      tab.close()
    }
    #expect(try await Browser.shared.text(of: WebPage(html: "<p>Auk")) == "Auk")
  }

  @Test("only pages without scripts use a tab again, and none leaves a trace")
  func reuse() async throws {
    let browser = Browser(Browser.Configuration(tabs: 1))
    let picture = try await browser.png(of: WebPage(html: "<!DOCTYPE html><p style='height: 3000px'>Tern"))
    for html in [
      "<html dir=rtl style='scroll-snap-type: y mandatory; zoom: 2'><body bgcolor=red link=red><p id=p>Puffin",
      "<style>@property --a { syntax: '*'; inherits: true; initial-value: red } p { animation: a 1s infinite }</style><p>a",
      "<script>setInterval(() => { name = 'a'; document.body.style.color = 'red' }, 0)</script>",
    ] {
      _ = try await browser.png(of: WebPage(html: html))
      #expect(try await browser.png(of: WebPage(html: "<!DOCTYPE html><p style='height: 3000px'>Tern")) == picture)
    }
    await browser.close()
  }

  @Test(
    "a tab is used again only after text that cannot run a script",
    arguments: [
      ("<!DOCTYPE html><meta charset=utf-8><body link=red><p class='a'>1 < 2, off, on<br/>", true),
      ("<p onclick=x()>a", false), ("<p ONLOAD = 'x'>a", false), ("<p title=''onload=x>a", false),
      ("<SCRIPT src=a>", false), ("<video controls src=a>", false),
      ("<iframe>", false), ("<META HTTP-EQUIV=refresh>", false), ("<a href=JavaScript:x>", false),
    ])
  func inert(_ html: String, _ isInert: Bool) {
    #expect(WebPage(html: html).isInert == isInert)
  }
}

/// Starts a server that never responds to `/never`, and logs a request.
func silentServer(_ asked: Log<Bool>) async throws -> HTTPServer {
  try await HTTPServer.start(
    Router {
      Route(.get, "/never") { _ in
        asked.append(true)
        return HTTPReply.never
      }
    })
}
