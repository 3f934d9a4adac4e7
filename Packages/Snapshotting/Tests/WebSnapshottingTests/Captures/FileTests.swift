import Foundation
import Loopback
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Files", .timeLimit(.minutes(2)))
struct FileTests {
  private let browser = Browser.shared

  @Test("a page from a file reads its own folder and subfolders only")
  func canary() async throws {
    let folder = try TemporaryFolder()
    let (site, canary) = ("\(folder.path)/site", "\(folder.path)/canary")
    try FileManager.default.createDirectory(atPath: "\(site)/below", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: canary, withIntermediateDirectories: true)
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    try Data(circle.utf8).write(to: URL(fileURLWithPath: "\(site)/below/in.svg"))
    try Data(circle.utf8).write(to: URL(fileURLWithPath: "\(canary)/out.svg"))
    try Data("<p>CANARY".utf8).write(to: URL(fileURLWithPath: "\(canary)/out.html"))
    try Data("globalThis.seen = 'CANARY'".utf8).write(to: URL(fileURLWithPath: "\(canary)/out.js"))
    try Data("body { --seen: CANARY }".utf8).write(to: URL(fileURLWithPath: "\(canary)/out.css"))
    try FileManager.default.createSymbolicLink(atPath: "\(site)/link", withDestinationPath: canary)
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/:name") { request in
          HTTPResponse(.seeOther, headers: ["Location": "file://\(canary)/\(request.path.dropFirst())"])
        }
      })
    let roots = [
      "../canary", "%2e%2e/canary", "link", "below/../../canary", "file://\(canary)", server.url.absoluteString,
    ]
    let pictures = roots.map { "<img src='\($0)/out.svg'>" }.joined()
    let frames = roots.map { "<iframe src='\($0)/out.html'></iframe><object data='\($0)/out.html'></object>" }.joined()
    let rest = roots.map { "<script src='\($0)/out.js'></script><link rel=stylesheet href='\($0)/out.css'>" }.joined()
    let asked = roots.map { "fetch('\($0)/out.html').then((r) => r.text())" }.joined(separator: ", ")
    let html = """
      <body><img src=below/in.svg>\(pictures)\(frames)\(rest)<script>
        onload = async () => {
          const texts = (await Promise.allSettled([\(asked)])).map((r) => r.status);
          console.log([...document.images].map((i) => i.naturalWidth).join(), new Set(texts).size, texts[0],
            typeof seen, getComputedStyle(document.body).getPropertyValue('--seen') === '');
          globalThis.done = true;
        };
      </script>
      """
    let index = URL(fileURLWithPath: "\(site)/index.html")
    try Data(html.utf8).write(to: index)
    let expected = "7," + roots.map { _ in "0" }.joined(separator: ",") + " 1 rejected undefined true"
    for content in [WebPage.Content.file(index), .url(index)] {
      for network in [WebPage.Network.on, .off, .responses([:])] {
        let page = WebPage(content, network: network, readiness: [.predicate("globalThis.done")])
        let console = try await browser.console(of: page).split(separator: "\n").filter { $0.hasPrefix("log: ") }
        #expect(console == ["log: \(expected)"], "\(content) \(network)")
        let tab = try await browser.load(page)
        defer { tab.close() }
        let frames = try await tab.send("Page.getFrameTree")["frameTree"]?["childFrames"]?.array ?? []
        #expect(!frames.isEmpty)
        for frame in frames { #expect(frame["frame"]?["url"]?.string?.hasPrefix("file:") != true, "\(frame)") }
      }
    }
    await server.stop(grace: .zero)
  }

  @Test("text cannot read files, also with a network or a file as its base URL")
  func text() async throws {
    let folder = try TemporaryFolder()
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    let picture = URL(fileURLWithPath: "\(folder.path)/out.svg")
    try Data(circle.utf8).write(to: picture)
    let html =
      "<img src='\(picture.absoluteString)'><script>onload = () => console.log(document.images[0].naturalWidth)</script>"
    for base in [nil, picture.deletingLastPathComponent().appending(path: "a.html"), URL(string: "http://a.example/")] {
      for network in [WebPage.Network.on, .off, .responses([:])] {
        let console = try await browser.console(of: WebPage(html: html, baseURL: base, network: network))
        #expect(console.hasSuffix("log: 0\n"), "\(base as Any) \(network)")
      }
    }
  }

  @Test("a folder, a pipe and a missing file are errors")
  func noFile() async throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    for (path, words) in [("", "is a directory"), ("pipe", "a device, a pipe"), ("none.html", "does not exist")] {
      let url = URL(fileURLWithPath: "\(folder.path)/\(path)")
      for page in [WebPage(file: url), WebPage(url: url)] {
        let error = try #require(await failure { try await browser.png(of: page) })
        #expect(error.kind == .cannotLoad && error.description.contains(words), "\(error)")
      }
    }
  }

  @Test("a page that navigates to a file outside its folder is an error")
  func leadingOutside() async throws {
    let folder = try TemporaryFolder()
    let site = "\(folder.path)/site"
    try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
    try Data("<p>Auk".utf8).write(to: URL(fileURLWithPath: folder.file("outside.html")))
    let index = URL(fileURLWithPath: "\(site)/index.html")
    try Data("<script>location = '../outside.html'</script>".utf8).write(to: index)
    let page = WebPage(.file(index), readiness: [.predicate("false")])
    let error = try #require(await failure { try await browser.png(of: page) })
    #expect(error.kind == .cannotLoad && error.description.contains("it is outside the page's folder"), "\(error)")
  }

  @Test("a path with a NUL byte is an error")
  func nul() async throws {
    let folder = try TemporaryFolder()
    let index = URL(fileURLWithPath: folder.file("index.html"))
    try Data("<p>Puffin".utf8).write(to: index)
    let url = try #require(URL(string: "\(index.absoluteString)%00.txt"))
    #expect(PageFile(url) == nil)
    for page in [WebPage(file: url), WebPage(url: url)] {
      #expect(await failure { try await browser.text(of: page) }?.kind == .cannotLoad)
    }
  }
}
