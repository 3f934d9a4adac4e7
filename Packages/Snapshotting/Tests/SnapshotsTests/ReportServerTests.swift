import Foundation
import Loopback
import LoopbackTesting
import SnapshotStore
import TestSupport
import Testing

@testable import Snapshots

@Suite("The served report", .timeLimit(.minutes(2))) struct ReportServerTests {
  private let project: Project
  private let server: ReportServer
  private let token: String

  init() throws {
    project = try Project()
    try project.write("old", to: "Tests/a.txt")
    try project.leave("new", over: "old", of: "Tests/a.txt", test: "first()")
    try project.leave("other", over: nil, of: "Tests/b.txt", test: "second()")
    server = ReportServer(project.store) {}
    token = try #require(server.address(on: 1).split(separator: "=").last.map(String.init))
  }

  private func reply(
    _ method: HTTPMethod, _ path: String, token: String?, form: String = ""
  ) async throws -> HTTPResponse {
    let query = URLEncodedFields(token.map { "token=\($0)" } ?? "")
    let request = HTTPRequest(method, path, query: query, body: Array(form.utf8))
    return try #require(await server.router.reply(to: request).response)
  }

  private var form: String {
    let snapshot = project.store.contents().snapshots[0]
    return "id=\(snapshot.id)&fingerprint=\(snapshot.fingerprint)"
  }

  @Test("buttons in the browser accept and reject, and the command ends when nothing is pending") func browser()
    async throws
  {
    let command = try BuiltCommand.start(["report", "--serve"], in: project.root)
    let line = try #require(await command.line())
    let address = try #require(line.split(separator: " ").dropFirst().first.flatMap { URL(string: String($0)) })
    #expect(address.host() == "127.0.0.1" && line.hasPrefix("Serving http://127.0.0.1:"))
    let browser = try await ReportBrowser(address)
    #expect(try await browser.titles() == ["changed Tests/a.txt", "new Tests/b.txt"])
    try await browser.follow("document.querySelectorAll('button')[0]")
    #expect(try await browser.titles() == ["new Tests/b.txt"])
    #expect(project.text(of: "Tests/a.txt") == "new" && project.names == ["Tests/b.txt"])
    try await browser.follow("document.querySelectorAll('button')[1]")
    #expect(try await browser.titles() == [])
    #expect(try await browser.text("document.querySelector('h1').innerText") == "0 pending snapshots")
    #expect(project.text(of: "Tests/b.txt") == nil && project.names.isEmpty)
    #expect(await command.outcome().status == 0)
  }

  @Test("each request needs the token of the address", arguments: [nil, "", "x", "wrong"]) func token(_ wrong: String?)
    async throws
  {
    let wrong = wrong == "wrong" ? String(token.dropLast()) + (token.last == "a" ? "b" : "a") : wrong
    for (method, path) in [(HTTPMethod.get, "/"), (.post, "/accept"), (.post, "/reject")] {
      let response = try await reply(method, path, token: wrong, form: form)
      #expect(response.status == 403 && !String(decoding: response.body, as: UTF8.self).contains("Tests/"))
    }
    #expect(project.names.count == 2 && project.text(of: "Tests/a.txt") == "old")
    #expect(try await reply(.get, "/", token: token).status == .ok)
  }

  @Test("two servers have different tokens") func random() {
    #expect(ReportServer(project.store) {}.address(on: 1) != server.address(on: 1))
    #expect(token.count > 20)
  }

  @Test(
    "a name of another host is refused, so that no web page can reach the server",
    arguments: ["evil.example", "127.0.0.1.evil.example"])
  func rebinding(_ host: String) async throws {
    let running = try await HTTPServer.start(server.router)
    for (host, status) in [(host, "421"), ("127.0.0.1:\(running.port)", "200")] {
      let client = try RawClient(port: running.port)
      await client.send("GET /?token=\(token) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
      #expect(await client.readLine()?.hasPrefix("HTTP/1.1 \(status)") == true)
    }
    await running.stop()
  }

  @Test("a snapshot that has changed since the page was shown is not accepted") func stale() async throws {
    let shown = form
    try project.leave("newer", over: "old", of: "Tests/a.txt", test: "first()")
    let response = try await reply(.post, "/accept", token: token, form: shown)
    #expect(response.status == .conflict)
    #expect(
      String(decoding: response.body, as: UTF8.self).contains("The snapshot has changed, or is no longer pending."))
    #expect(project.text(of: "Tests/a.txt") == "old" && project.names.count == 2)
  }

  @Test("a refused snapshot shows the reason, and stays pending") func refused() async throws {
    try project.write("other", to: "Tests/a.txt")
    let response = try await reply(.post, "/accept", token: token, form: form)
    #expect(response.status == .conflict)
    #expect(String(decoding: response.body, as: UTF8.self).contains("the reference has changed since the test"))
    #expect(project.text(of: "Tests/a.txt") == "other" && project.names.count == 2)
  }

  @Test("the page of the address is not cached, and sends its address nowhere") func headers() async throws {
    let response = try await reply(.get, "/", token: token)
    #expect(response.headers["Cache-Control"] == "no-store" && response.headers["Referrer-Policy"] == "no-referrer")
    #expect(try await reply(.post, "/accept", token: token, form: form).headers["Location"] == "/?token=\(token)")
  }

  @Test("without pending snapshots nothing is served, and a folder excludes a server") func nothing() async throws {
    project.store.reject(project.store.contents().snapshots)
    #expect(try await project.run(["report", "--serve"]) == (0, "No snapshots are pending.\n", ""))
    await #expect(throws: (any Error).self) { try await project.run(["report", "--serve", "-o", "report"]) }
  }
}
