import Foundation
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Decisions about requests")
struct RequestDecisionTests {

  private func decision(_ url: String, _ page: WebPage, isDocument: Bool = false) -> RequestDecision {
    RequestRules(page).decision(on: url, isDocument: isDocument)
  }

  @Test("the response of a base URL is the page's text, for the page itself only")
  func baseURL() throws {
    let url = try #require(URL(string: "https://birds.example/coast#x"))
    let page = WebPage(html: "<p>é", baseURL: url)
    let document = WebPage.Response(Data("<p>é".utf8), type: "text/html; charset=utf-8")
    #expect(decision("https://birds.example/coast#y", page, isDocument: true) == .fulfil(document))
    #expect(decision("https://birds.example/coast", page) == .refuse)
    #expect(decision("https://birds.example/style.css", page) == .refuse)
  }

  @Test("a file can read files in its folder and below")
  func files() throws {
    let folder = try TemporaryFolder()
    for name in ["coast/css/style.css", "coast/a b.css", "coast2/style.css", "style.css", "coast/index.html"] {
      let file = URL(fileURLWithPath: "\(folder.path)/birds/\(name)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("p {}".utf8).write(to: file)
    }
    let birds = "\(folder.path)/birds"
    for (link, target) in [("out.css", "../style.css"), ("up", ".."), ("in.css", "css/style.css")] {
      try FileManager.default.createSymbolicLink(atPath: "\(birds)/coast/\(link)", withDestinationPath: target)
    }
    let index = URL(fileURLWithPath: "\(birds)/coast/index.html")
    // A URL with the scheme `file` is treated as a file, with or without a network.
    for page in [WebPage(file: index), WebPage(url: index), WebPage(file: index, network: .on)] {
      for inside in [
        "index.html", "css/style.css?1#a", "in.css", "a%20b.css", "css/../index.html", "up/coast/index.html",
      ] {
        #expect(decision("file://\(birds)/coast/\(inside)", page) == .proceed, "\(inside)")
      }
      for outside in [
        "", ".", "../style.css", "%2e%2e/style.css", "..%2fstyle.css", "css/../../style.css", "../coast2/style.css",
        "out.css", "up/style.css", "up/coast2/style.css", "none.css", "index.html%00", "/etc/passwd",
      ] {
        #expect(decision("file://\(birds)/coast/\(outside)", page) == .refuse, "\(outside)")
      }
      #expect(decision("file://elsewhere\(birds)/coast/index.html", page) == .refuse)
      #expect(decision("file:///etc/passwd", page) == .refuse)
    }
    #expect(decision("http://birds.example/", WebPage(file: index)) == .refuse)
  }

  @Test("text cannot read files with any network", arguments: [WebPage.Network.on, .off, .responses([:])])
  func filesOfText(_ network: WebPage.Network) {
    #expect(decision("file:///etc/passwd", WebPage(html: "", network: network)) == .refuse)
    #expect(
      decision("file:///etc/passwd", WebPage(html: "", baseURL: URL(string: "http://a/"), network: network)) == .refuse)
  }

  @Test("a given response is for its URL with any fragment")
  func givenResponse() throws {
    let style = WebPage.Response(Data("p {}".utf8), type: "text/css")
    let url = try #require(URL(string: "https://birds.example/style.css#a"))
    let page = WebPage(html: "", network: .responses([url: style]))
    #expect(decision("https://birds.example/style.css", page) == .fulfil(style))
    #expect(decision("https://birds.example/style.css?2", page) == .refuse)
  }

  @Test("the first of equal addresses in alphabetical order gives the response")
  func same() throws {
    let urls = try (100..<200).map { try #require(URL(string: "https://birds.example/#\($0)")) }
    let responses = urls.map { ($0, WebPage.Response(Data($0.absoluteString.utf8), type: "text/plain")) }
    let page = WebPage(html: "", network: .responses(Dictionary(uniqueKeysWithValues: responses)))
    #expect(decision("https://birds.example/", page) == .fulfil(responses[0].1))
  }

  @Test(
    "an address is compared in the browser's spelling",
    arguments: [
      ("https://birds.example", "https://birds.example/"),
      ("HTTPS://Birds.EXAMPLE:443?a#b", "https://birds.example/?a"),
      ("http://birds.example:80/Coast", "http://birds.example/Coast"),
      ("http://birds.example:443/%c3%A9?x=%2f", "http://birds.example:443/%c3%A9?x=%2f"),
      ("https://birds.example:8443/", "https://birds.example:8443/"), ("http://[::1]:80", "http://[::1]/"),
      ("https://birds.example/a/.././coast/.", "https://birds.example/coast/"),
      ("https://birds.example/..?q='a|b'", "https://birds.example/?q=%27a%7Cb%27"),
      ("https://birds.example/a?c[]=1", "https://birds.example/a?c%5B%5D=1"),
      ("https://birds.example/it's//b", "https://birds.example/it's//b"),
      ("https://puffin:a@birds.example/", "https://puffin:a@birds.example/"),
      ("file:///Coast/a.html#b", "file:///Coast/a.html"),
    ])
  func spelling(_ address: String, _ spelling: String) throws {
    let url = try #require(URL(string: address))
    #expect(url.canonical == spelling)
    guard url.isWeb else { return }
    let style = WebPage.Response(Data("p {}".utf8), type: "text/css")
    let page = WebPage(html: "", network: .responses([url: style]))
    for requested in [spelling, spelling.replacing("%7C", with: "|").replacing("%5B%5D", with: "[]")] {
      #expect(decision(requested, page) == .fulfil(style))
    }
  }

  @Test("messages show an address without its user name and password")
  func password() throws {
    let url = try #require(URL(string: "https://puffin:secret@birds.example:8443/a?b"))
    #expect(url.withoutPassword == "https://birds.example:8443/a?b")
  }

  @Test("the message of a timeout names the current condition and the completed ones")
  func progress() {
    let progress = CaptureProgress()
    progress.wait(for: "the load event")
    progress.wait(for: "an element that matches `#a`")
    #expect(
      progress.timeoutMessage(after: .seconds(3)).hasPrefix(
        """
        Cannot capture the page: timed out after 3.0 seconds while waiting for an element that matches `#a`. \
        Completed: a browser tab; the load event.
        """))
  }

  @Test(
    "the message of a timeout has the conditions of the last document, and counts the navigations",
    arguments: [
      (0, ""), (1, " The page went to another document once."), (2, " The page went to another document twice."),
      (3, " The page keeps navigating: it went to another document 3 times."),
    ])
  func navigations(_ count: Int, _ words: String) {
    let progress = CaptureProgress()
    for condition in ["the document", "the load event", "the fonts"] { progress.wait(for: condition) }
    progress.restart(after: count)
    for condition in ["the load event", "the fonts", "the images"] { progress.wait(for: condition) }
    #expect(
      progress.timeoutMessage(after: .seconds(3)) == """
        Cannot capture the page: timed out after 3.0 seconds while waiting for the images. Completed: the load event; \
        the fonts.\(words) Allow the page more time, or find out why it is not ready.
        """)
  }
}
