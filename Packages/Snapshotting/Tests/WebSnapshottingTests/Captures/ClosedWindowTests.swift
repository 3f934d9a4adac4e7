import Testing

@testable import WebSnapshotting

@Suite("Pages that close their window", .timeLimit(.minutes(2)))
struct ClosedWindowTests {
  @Test(
    "a page that closes its window is an error at once",
    arguments: ["window.close()", "onload = () => setTimeout(() => window.close(), 1)"])
  func closed(_ script: String) async throws {
    // The browser does not let a script close a window with a history.
    var page = WebPage(html: "<p>Puffin<script>\(script)</script>")
    page.readiness = [.predicate("false")]
    let error = try #require(await failure { try await Browser.shared.png(of: page) })
    #expect(error.kind == .cannotLoad && error.description.contains("closed its window"), "\(error)")
    #expect(try await Browser.shared.text(of: WebPage(html: "<p>Auk")) == "Auk")
  }
}
