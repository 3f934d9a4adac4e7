import Foundation
import Futures
import FuturesNetworking
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests for JSON")
struct JSONFutureTests {
  private struct Bird: Decodable, Equatable, Sendable {
    var name: String
    var eggs: Int
  }

  private func birds(_ status: String, _ body: String) async throws -> Result<[Bird], NetworkError> {
    let server = try ScriptedServer(
      .reply("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"))
    let url = try server.url.appending(path: "birds")
    let future = URLSession(configuration: .ephemeral).jsonFuture(of: [Bird].self, with: url)
    do { return .success(try await future.get()) } catch { return .failure(error) }
  }

  @Test("a response with status 2xx is decoded", arguments: ["200 OK", "201 Created", "299 Fine"])
  func decodes(status: String) async throws {
    let result = try await birds(status, #"[{"name": "Puffin", "eggs": 1}]"#)
    #expect(result == .success([Bird(name: "Puffin", eggs: 1)]))
  }

  @Test("another status fails with the status, even if the body is valid", arguments: [304, 404, 500])
  func badStatus(code: Int) async throws {
    let error = try await #require(birds("\(code) Bad", "[]").failure)
    #expect(error.kind == .badStatus && error.statusCode == code)
    #expect(
      error.description.contains("/birds: the response has status \(code) instead of 2xx. Check the URL"), "\(error)")
  }

  @Test(
    "an unexpected body fails with the place of the problem",
    arguments: [
      (#"[{"name": "Puffin", "eggs": 1}, {"name": "Robin"}]"#, "`eggs` is missing at [1]."),
      (#"[{"name": null, "eggs": 1}]"#, "the value at [0].name is null or missing instead of a String."),
      (#"[{"name": "Puffin", "eggs": "one"}]"#, "the value at [0].eggs is not a Int."),
      (#"{"name": "Puffin"}"#, "the value at the top level is not an array."),
      ("null", "the value at the top level is null or missing instead of an array."),
      ("", "it is empty."), ("<html>", "the given data was not valid JSON. Correct"),
    ])
  func invalidJSON(body: String, problem: String) async throws {
    let error = try await #require(birds("200 OK", body).failure)
    #expect(error.kind == .invalidJSON && error.statusCode == 200)
    #expect(error.description.contains("/birds: the body is not the expected JSON: \(problem)"), "\(error)")
  }

  @Test("a body that is not JSON fails", arguments: ["", "<html>", "[1"])
  func noJSON(body: String) async throws {
    let error = try await #require(birds("200 OK", body).failure)
    #expect(error.kind == .invalidJSON)
    #expect(error.description.contains("the body is not the expected JSON: "), "\(error)")
  }

  @Test("an object is named as in JSON")
  func object() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnull"))
    let future = URLSession(configuration: .ephemeral).jsonFuture(of: Bird.self, with: try server.url)
    let error = await #expect(throws: NetworkError.self) { try await future.get() }
    #expect(
      error?.description.contains("the value at the top level is null or missing instead of an object.") == true,
      "\(error as Any)")
  }

  @Test("cancelling the future cancels the request")
  func cancels() async throws {
    let server = try ScriptedServer(.hold)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let future = URLSession(configuration: configuration).jsonFuture(of: [Bird].self, with: try server.url)
    _ = await server.nextHead()
    future.cancel()
    #expect(future.error?.kind == .cancelled)
    await server.clientHasClosed()
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
