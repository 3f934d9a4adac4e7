import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests of a libcurl client") struct RequestTests {
  private let client = HTTPClient.curl()

  @Test("the result has the status, the fields and the body, for every status")
  func statuses() async throws {
    for status in ["200 OK", "404 Not Found", "500 Internal Server Error"] {
      let server = try ScriptedServer(
        .reply(response(status, ["X-Bird: puffin", "x-bird: robin"], body: "egg")))
      let (data, response) = try await client.dataFuture(for: request(server)).get()
      #expect(text(data) == "egg" && status.hasPrefix("\(response.statusCode)"))
      #expect(response.value(forHTTPHeaderField: "X-Bird") == "puffin, robin")
    }
  }

  @Test("a request is sent with its method, fields and body, and with no others", arguments: [nil, "", "egg"])
  func sent(body: String?) async throws {
    let server = try await HTTPServer.start(
      Router {
        for method in [HTTPMethod.get, .put, .post, .delete] {
          Route(method, "/echo") { request in
            let fields = request.headers.fields.map { "\($0.name.lowercased())=\($0.value)" }.sorted()
            return .text("\(request.method.rawValue) \(fields.joined(separator: ";")) \(request.text)")
          }
        }
      })
    for method in ["GET", "PUT", "POST", "DELETE"] where body == nil || !["GET", "DELETE"].contains(method) {
      var request = URLRequest(url: server.url.appendingPathComponent("echo"))
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      request.setValue("", forHTTPHeaderField: "X-Empty")
      request.setValue("a: b;", forHTTPHeaderField: "X-Bird")
      let (data, _) = try await client.dataFuture(for: request).get()
      let length = ["GET", "DELETE"].contains(method) ? "" : ";content-length=\(body?.utf8.count ?? 0)"
      let fields =
        "accept-encoding=gzip, deflate;accept=*/*\(length);host=127.0.0.1:\(server.port);x-bird=a: b;;x-empty="
      #expect(text(data) == "\(method) \(fields) \(body ?? "")")
    }
    await server.stop()
  }

  @Test("a response without a body may have any length", arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func noBody(method: String, status: Int) async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 \(status) Fine\r\nContent-Length: 600\r\n\r\n"))
    let request = try request(server) { $0.httpMethod = method }
    let (data, response) = try await client.dataFuture(for: request, within: HTTPLimits(bodyBytes: 10)).get()
    #expect(data.isEmpty && response.statusCode == status)
    #expect(response.value(forHTTPHeaderField: "Content-Length") == "600")
  }

  @Test("the parts of a body are passed in their order") func parts() async throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let server = try await HTTPServer.start(Router { Route(.get, "/file") { _ in .bytes(bytes) } })
    let (received, record) = AsyncStream<Data>.makeStream()
    let request = URLRequest(url: server.url.appendingPathComponent("file"))
    _ = try await client.stream(request, HTTPLimits()) { record.yield($0) }.get()
    record.finish()
    var parts: [Data] = []
    for await part in received { parts.append(part) }
    #expect(parts.count > 1 && parts.reduce(Data(), +) == Data(bytes))
    await server.stop()
  }

  @Test("connections are used again, except for methods that are not idempotent") func reuse() async throws {
    let server = try ScriptedServer(.keepAlive("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\negg"))
    for _ in 0..<5 { _ = try await client.dataFuture(with: server.url).get() }
    #expect(server.connectionCount == 1)
    var post = URLRequest(url: try server.url)
    post.httpMethod = "POST"
    _ = try await client.dataFuture(for: post).get()
    #expect(server.connectionCount == 2)
  }

  @Test("requests beyond a maximum wait, and the wait counts for their time limit") func many() async throws {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("egg") } })
    let held = try ScriptedServer(.hold)
    for total in [1, 3, 256] {
      var configuration = CurlConfiguration()
      (configuration.maxConcurrentRequests, configuration.maxConcurrentRequestsPerHost) = (total, 2)
      let client = HTTPClient.curl(configuration)
      let responses = try await (0..<200).map { _ in client.dataFuture(with: server.url, within: .none) }.sequence()
        .get()
      #expect(responses.count == 200)
      let waiting = try (0..<2).map { _ in client.dataFuture(for: try request(held)) }
      let error = try await error(of: request(held), by: client, within: HTTPLimits(whole: .milliseconds(20)))
      #expect(error.kind == .timedOut && error.phase == .connecting)
      for future in waiting { future.cancel() }
    }
    await server.stop()
  }

  @Test(
    "a request whose method, field or length is invalid fails, and nothing is sent",
    arguments: [
      ("G ET", [:]), ("GET:", [:]), ("GÉT", [:]), ("GET", ["X Bird": "a"]), ("GET", ["X-Bird:": "a"]),
      ("GET", ["": "a"]),
      ("POST", ["Content-Length": "3"]), ("POST", ["content-length": "5, 5"]), ("POST", ["Content-Length": "+5"]),
      ("GET", ["Content-Length": "5"]), ("POST", ["Transfer-Encoding": "chunked"]), ("GET", ["X-Bird": "a\r\nY: b"]),
    ] as [(String, [String: String])])
  func unsendable(method: String, fields: [String: String]) async throws {
    let server = try ScriptedServer(.reply(response("200 OK")))
    let request = try request(server) { request in
      request.httpMethod = method
      request.allHTTPHeaderFields = fields
      if method == "POST" { request.httpBody = Data("hello".utf8) }
    }
    // Foundation drops or corrects some of them.
    guard request.httpMethod == method, request.allHTTPHeaderFields ?? [:] == fields else { return }
    let error = try await error(of: request, by: client)
    #expect(error.kind == .invalidRequest && error.phase == .connecting, "\(error)")
    #expect(server.connectionCount == 0)
  }

  @Test("a correct Content-Length of the caller is sent once") func length() async throws {
    let server = try ScriptedServer(.reply(response("200 OK")))
    let request = try request(server) { request in
      request.httpMethod = "POST"
      request.httpBody = Data("hello".utf8)
      request.setValue("5", forHTTPHeaderField: "content-length")
    }
    _ = try await client.dataFuture(for: request).get()
    let head = await server.nextHead().lowercased()
    #expect(head.split(separator: "\r\n").filter { $0.hasPrefix("content-length: 5") }.count == 1, "\(head)")
  }

  @Test("slow requests to one host do not delay those to another one") func otherHost() async throws {
    let slow = try ByteServer(holds: true, Array("HTTP/1.1 200 OK\r\n".utf8))
    let quick = try ScriptedServer(.reply(response("200 OK", body: "egg")))
    let waiting = (0..<100).map { _ in client.dataFuture(with: slow.url) }
    let url = try #require(URL(string: "http://localhost:\(quick.port)/"))
    let (data, _) = try await client.dataFuture(with: url, within: HTTPLimits(whole: .seconds(20))).get()
    #expect(text(data) == "egg")
    for future in waiting { future.cancel() }
  }
}
