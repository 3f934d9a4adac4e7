import Foundation
import Testing

@testable import WebSnapshotting

@Suite("Given responses", .timeLimit(.minutes(2)))
struct ResponseTests {
  private let base = URL(string: "https://birds.example/")

  private func page(_ response: WebPage.Response) throws -> WebPage {
    let base = try #require(base)
    return WebPage(url: base, network: .responses([base: response]))
  }

  @Test("a response may have any status, also one without a reason phrase", arguments: [200, 299, 404, 418, 599])
  func status(_ status: Int) async throws {
    let response = WebPage.Response(
      status: status, headers: ["Content-Type": "text/html", "X-Of_birds": "a; b"], body: Data("<p>Puffin".utf8))
    #expect(try await Browser.shared.text(of: page(response)) == "Puffin")
  }

  @Test(
    "an invalid response is an error with the reason",
    arguments: [
      (0, [:], "status 0"), (-200, [:], "status -200"), (101, [:], "status 101"), (600, [:], "status 600"),
      (200, ["X": "a\nb"], "field `X` has a line break"), (200, ["X": "a\r\nb"], "field `X` has a line break"),
      (200, ["X": "a\0b"], "field `X` has a line break"),
      (200, ["": "a"], "name ``"), (200, ["a b": "c"], "name `a b`"), (200, ["Häher": "a"], "name `Häher`"),
    ])
  func impossible(_ status: Int, _ headers: [String: String], _ words: String) async throws {
    let page = try page(WebPage.Response(status: status, headers: headers, body: Data()))
    let error = try #require(await failure { try await Browser.shared.png(of: page) })
    #expect(error.kind == .cannotLoad && error.description.contains("https://birds.example/: it"), "\(error)")
    #expect(error.description.contains(words), "\(error)")
  }

  @Test("a request fails at once if the browser refuses its response")
  func refused() async throws {
    // Without the check of the responses.
    let page = try page(WebPage.Response(headers: ["X": "a\nb"], body: Data()))
    #expect(await failure { try await Browser.shared.load(page) }?.kind == .cannotLoad)
  }
}
