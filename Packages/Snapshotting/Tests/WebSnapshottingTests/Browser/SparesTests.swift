import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Which context a page gets", .timeLimit(.minutes(2)))
struct SparesTests {
  private let nowhere = WebPage(html: "<p>Puffin")

  private func page(at host: String) -> WebPage {
    WebPage(html: "<p>Puffin", baseURL: URL(string: "https://\(host).example/"))
  }

  /// Contexts that are numbered as they are opened, used one after the other by pages; `nil` for one that had to be opened then.
  private func taken(by pages: [WebPage]) -> (contexts: [Int?], left: [String?], opened: Int) {
    var spares = Spares<Int>()
    var opened = 0
    var origins: [Int: String] = [:]
    func prepare() {
      while spares.needsNew {
        opened += 1
        spares.add(opened)
      }
    }
    var contexts: [Int?] = []
    for page in pages {
      prepare()
      spares.beginUse()
      let context = spares.take(for: page)
      contexts.append(context)
      prepare()
      spares.endUse()
      guard let context else { continue }
      origins[context] = page.origin ?? origins[context]
      if spares.canKeep(origins[context]) { _ = spares.keep(context, at: origins[context]) }
    }
    return (contexts, spares.origins, opened)
  }

  @Test("Pages nowhere take turns with two")
  func turns() {
    let result = taken(by: Array(repeating: nowhere, count: 5))
    #expect(result.contexts == [1, 2, 1, 2, 1] && result.opened == 2)
  }

  @Test("Pages at one origin take turns with two of its own, and one that has been nowhere stays for others")
  func ownTurns() {
    let result = taken(by: Array(repeating: page(at: "a"), count: 7))
    #expect(result.contexts == [1, 2, 1, 2, 1, 2, 1])
    #expect(result.opened == 4 && result.left.count { $0 == nil } == 2)
  }

  @Test("Pages that go to and fro between two origins find theirs")
  func toAndFro() {
    let result = taken(by: (0..<8).map { page(at: $0.isMultiple(of: 2) ? "a" : "b") })
    #expect(result.contexts == [1, 2, 1, 2, 1, 2, 1, 2])
  }

  @Test("Pages at ever other origins find one that has been nowhere each time, and those behind them go")
  func everOther() {
    let result = taken(by: (0..<20).map { page(at: "a\($0)") })
    #expect(result.contexts == (1...20).map { $0 })
    #expect(result.left.compactMap { $0 } == ["a18", "a19"].map { page(at: $0).origin })
  }

  @Test("A page nowhere is content with any, and a page at an origin with no other's")
  func suitable() {
    var spares = Spares<Int>()
    _ = spares.keep(1, at: page(at: "a").origin)
    #expect(spares.take(for: page(at: "b")) == nil)
    #expect(spares.take(for: nowhere) == 1)
  }

  @Test("There is no room for one more that has been nowhere than are needed, and always for one of an origin")
  func room() {
    var spares = Spares<Int>()
    spares.add(1)
    #expect(spares.canKeep(nil))
    spares.add(2)
    #expect(!spares.canKeep(nil) && spares.canKeep("a"))
  }

  @Test("Pages with a network, which use none that waits, have none opened")
  func online() async throws {
    let browser = Browser()
    let running = try await browser.running()
    try await browser.start()
    _ = try await browser.text(of: WebPage(html: "<p>Puffin", network: .on))
    #expect(running.spareOrigins.isEmpty)
    // However many they are at the same time, they are no reason for more.
    let tabs = [
      try await browser.open(WebPage(html: "", network: .on)), try await browser.open(WebPage(html: "", network: .on)),
    ]
    _ = try await browser.text(of: nowhere)
    #expect(running.spareOrigins.count == 2)
    for tab in tabs { tab.close() }
    await browser.close()
  }

  @Test(
    "After pages at one origin after the other a context waits that is at none, and the browser has no more than wait")
  func browser() async throws {
    // However long a context takes to be emptied, it is not given up.
    let browser = Browser(
      Browser.Configuration(tabs: 1), clock: ManualClock())
    let running = try await browser.running()
    for host in ["a", "b", "c"] {
      _ = try await browser.text(of: page(at: host))
      #expect(running.spareOrigins.contains(nil), "\(host)")
    }
    #expect(running.spareOrigins.compactMap { $0 } == ["b", "c"].map { page(at: $0).origin })
    while true {
      let reply = try await running.connection.send("Target.getBrowserContexts")
      if reply["browserContextIds"]?.array?.count == running.spareOrigins.count { break }
    }
    let tab = try await browser.open(page(at: "b"))
    #expect(tab.uses == 1)
    tab.close()
    await browser.close()
  }
}
