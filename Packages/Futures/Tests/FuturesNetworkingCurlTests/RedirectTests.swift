import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Redirects of a libcurl client") struct RedirectTests {
  private let client = HTTPClient.curl()

  private func request(_ server: ScriptedServer, _ method: String = "GET") throws -> URLRequest {
    try FuturesNetworkingCurlTests.request(server) { request in
      request.httpMethod = method
      for (name, value) in ["Authorization": "Bearer puffin", "Cookie": "bird=puffin", "X-Bird": "robin"] {
        request.setValue(value, forHTTPHeaderField: name)
      }
      if method == "POST" { request.httpBody = Data("egg".utf8) }
    }
  }

  @Test("a redirect to another origin is followed without credentials", arguments: [301, 302, 303, 307, 308])
  func otherOrigin(status: Int) async throws {
    let other = try ScriptedServer(.reply(response("200 OK", body: "egg")))
    let location = "Location: http://127.0.0.1:\(other.port)/nest"
    let first = try ScriptedServer(.reply(response("\(status) Elsewhere", [location], body: "not this")))
    let (data, answer) = try await client.dataFuture(for: request(first)).get()
    #expect(answer.statusCode == 200 && text(data) == "egg" && answer.url?.path() == "/nest")
    let (asked, followed) = (await first.nextHead(), await other.nextHead())
    #expect(asked.contains("Bearer puffin") && asked.contains("bird=puffin"))
    #expect(
      followed.hasPrefix("GET /nest") && followed.contains("robin") && !followed.contains("puffin"), "\(followed)")
  }

  @Test("a redirect within the origin keeps the credentials") func within() async throws {
    let server = try ScriptedServer(
      .answer { head in
        head.hasPrefix("GET /nest") ? response("200 OK") : response("302 Found", ["Location: nest"])
      })
    #expect(try await client.dataFuture(for: request(server)).get().1.statusCode == 200)
    _ = await server.nextHead()
    #expect(await server.nextHead().contains("Bearer puffin"))
  }

  @Test("a redirect that would repeat a POST, or send it elsewhere, is the response", arguments: [301, 303, 307, 308])
  func post(status: Int) async throws {
    let other = try ScriptedServer(.reply(response("200 OK")))
    let location = "Location: http://127.0.0.1:\(other.port)/"
    let first = try ScriptedServer(.reply(response("\(status) Elsewhere", [location], body: "gone")))
    let (data, answer) = try await client.dataFuture(for: request(first, "POST")).get()
    #expect(answer.statusCode == status && text(data) == "gone")
  }

  @Test("with limits that follow no redirects, a redirect is the response") func notFollowed() async throws {
    let server = try ScriptedServer(.reply(response("302 Found", ["Location: /nest"], body: "not this")))
    let limits = HTTPLimits(followsRedirects: false)
    let (data, answer) = try await client.dataFuture(for: request(server), within: limits).get()
    #expect(answer.statusCode == 302 && text(data) == "not this" && server.connectionCount == 1)
    #expect(answer.value(forHTTPHeaderField: "location") == "/nest")
  }

  @Test("a redirect to something else than HTTP is the response", arguments: ["file:///etc/passwd", "gopher://a/", ""])
  func scheme(location: String) async throws {
    let server = try ScriptedServer(.reply(response("302 Found", ["Location: \(location)"])))
    #expect(try await client.dataFuture(for: request(server)).get().1.statusCode == 302)
  }

  @Test("an endless redirect fails after 20 redirects") func endless() async throws {
    let server = try ScriptedServer(.answer { _ in response("302 Found", ["Location: /birds"]) })
    let error = try await error(of: request(server), by: client)
    #expect(error.kind == .tooManyRedirects)
    for _ in 0...20 { _ = await server.nextHead() }
  }

  @Test(
    "a redirect is followed from its header, whatever its body is",
    arguments: [
      "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
      "Content-Encoding: br\r\nContent-Length: 5\r\n\r\nhello",
      "Content-Length: 600\r\n\r\nabc", "Content-Length: 99999999999\r\n\r\n", "\r\nendless",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ], [false, true])
  func redirect(rest: String, holds: Bool) async throws {
    let server = try ByteServer(holds: holds) { line in
      line.contains("/nest")
        ? bytes(body: Array("egg".utf8)) : Array("HTTP/1.1 302 Found\r\nLocation: /nest\r\n\(rest)".utf8)
    }
    #expect(try await text(client.dataFuture(with: server.url).get().0) == "egg")
  }

  @Test("two equal Location fields are one") func locations() async throws {
    let server = try ByteServer { line in
      line.hasPrefix("GET /nest ")
        ? bytes(body: Array("egg".utf8))
        : Array("HTTP/1.1 302 Found\r\nLocation: /nest\r\nlocation: /nest\r\nContent-Length: 0\r\n\r\n".utf8)
    }
    #expect(try await text(client.dataFuture(with: server.url).get().0) == "egg")
  }

  @Test("credentials in a URL survive a redirect to the same origin, and are not sent to another one")
  func credentials() async throws {
    let other = try ScriptedServer(.reply(response("200 OK")))
    let server = try ScriptedServer(
      .answer { head in
        let port = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.split(separator: ":").last ?? ""
        return head.hasPrefix("GET /birds")
          ? response("302 Found", ["Location: http://127.0.0.1:\(port)/nest"])
          : response("302 Found", ["Location: http://127.0.0.1:\(other.port)/"])
      })
    let url = try #require(URL(string: "http://ann:tulp@127.0.0.1:\(server.port)/birds"))
    #expect(try await client.dataFuture(with: url).get().1.statusCode == 200)
    for _ in 0..<2 { #expect(await server.nextHead().contains("Authorization: Basic YW5uOnR1bHA=")) }
    #expect(await other.nextHead().contains("Authorization") == false)
  }
}
