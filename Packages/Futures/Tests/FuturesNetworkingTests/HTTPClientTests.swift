import Foundation
import Futures
import FuturesNetworking
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A client for tests, and requests for JSON") struct HTTPClientTests {
  private struct Bird: Codable, Equatable {
    var name: String
    var eggs: Int
  }

  private let url = URL(string: "http://127.0.0.1/birds") ?? URL(filePath: "/")

  private func birds(_ status: Int, _ body: String) async -> Result<[Bird], NetworkError> {
    let client = HTTPClient.stub { _ in (Data(body.utf8), HTTPResponseHead(statusCode: status)) }
    return await client.jsonFuture(of: [Bird].self, with: url).get()
  }

  @Test("a stub answers with a body and a head, or throws, and its head has the URL of the request") func stub() throws
  {
    let client = HTTPClient.stub { request in
      guard request.url?.path() == "/birds" else { throw NetworkError(.timedOut, request: request) }
      return (Data("egg".utf8), HTTPResponseHead(statusCode: 204, headerFields: ["ETag": "a"]))
    }
    let (data, head) = try #require(client.dataFuture(with: url).value)
    #expect(data == Data("egg".utf8) && head.statusCode == 204 && head.url == url)
    #expect(head.value(forHTTPHeaderField: "etag") == "a" && head.value(forHTTPHeaderField: "Location") == nil)
    #expect(client.dataFuture(with: url.appending(path: "nest")).error?.kind == .timedOut)
    let offline = HTTPClient.stub { _ in throw URLError(.notConnectedToInternet) }
    #expect(offline.dataFuture(with: url).error?.kind == .cannotConnect)
    let failing = HTTPClient.stub { _ in throw CocoaError(.fileNoSuchFile) }
    #expect(failing.dataFuture(with: url).error?.kind == .other)
  }

  @Test("a response with status 2xx is decoded", arguments: [200, 201, 299])
  func decodes(status: Int) async {
    let result = await birds(status, #"[{"name": "Puffin", "eggs": 1}]"#)
    #expect(result == .success([Bird(name: "Puffin", eggs: 1)]))
  }

  @Test("another status fails with the status, even if the body is valid", arguments: [304, 404, 500])
  func badStatus(status: Int) async throws {
    let error = try #require(await birds(status, "[]").error)
    #expect(error.kind == .badStatus && error.statusCode == status)
    #expect(error.description.contains("/birds: the response has status \(status) instead of 2xx. Check the URL"))
  }

  @Test(
    "an unexpected body fails with the place of the fault",
    arguments: [
      (#"[{"name": "Puffin", "eggs": 1}, {"name": "Robin"}]"#, "`eggs` is missing at [1]."),
      (#"[{"name": null, "eggs": 1}]"#, "the value at [0].name is null or missing instead of a value of type String."),
      (#"[{"name": "Puffin", "eggs": "one"}]"#, "the value at [0].eggs is not a value of type Int."),
      (#"{"name": "Puffin"}"#, "the value at the top level is not an array."),
      ("null", "the value at the top level is null or missing instead of an array."),
      ("", "it is empty."), ("<html>", "the value at the top level is invalid: The given data was not valid JSON."),
    ])
  func invalidJSON(body: String, fault: String) async throws {
    let error = try #require(await birds(200, body).error)
    #expect(error.kind == .invalidJSON && error.statusCode == 200)
    #expect(error.description.contains("/birds: the body is not the expected JSON: \(fault) Correct"), "\(error)")
  }

  @Test("a failure that another attempt can correct is transient, and a 404 is not") func transient() {
    for kind in [NetworkError.Kind.cannotConnect, .cannotFindHost, .connectionLost, .timedOut, .tooManyOpenFiles] {
      #expect(NetworkError(kind).isTransient, "\(kind)")
    }
    for kind in [
      NetworkError.Kind.badURL, .invalidRequest, .invalidJSON, .notHTTP, .secureConnectionFailed, .cancelled,
    ] {
      #expect(!NetworkError(kind).isTransient, "\(kind)")
    }
    let statuses = (300..<600).filter { NetworkError(.badStatus, statusCode: $0).isTransient }
    #expect(statuses == [408, 429, 500, 502, 503, 504])
    #expect(!NetworkError(.cannotConnect, statusCode: 407, proxy: "127.0.0.1:3128").isTransient)
    let policy = RetryPolicy<NetworkError>(attempts: 3, backoff: .none, isRetryable: \.isTransient)
    #expect(!policy.isRetryable(NetworkError(.badStatus, statusCode: 404)))
  }

  @Test("a message contains neither the password of its URL nor control characters") func message() throws {
    var request = URLRequest(url: try #require(URL(string: "http://ayaka:tulp@127.0.0.1:9/birds")))
    request.httpMethod = "GE\u{7F}T"
    let text = NetworkError(.cannotConnect, request: request).description
    #expect(
      text == "Cannot GE\\u{7F}T http://127.0.0.1:9/birds: nothing accepts connections there. "
        + "Start the server, or check the host and the port.")
    let cancelled = NetworkError.cancellation.description
    #expect(cancelled == "Cannot complete the request: it was cancelled. Send it again if you need the response.")
  }

  @Test("the error of a cancelled request names its method and URL") func cancelledRequest() throws {
    let client = HTTPClient { _, _, _ in Promise<HTTPResponseHead, NetworkError>().future }
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/birds")))
    request.httpMethod = "PUT"
    let body = client.dataFuture(for: request)
    let json = client.jsonFuture(of: Int.self, for: request)
    body.cancel()
    json.cancel()
    for error in [body.error, json.error] {
      #expect(error?.kind == .cancelled && error?.method == "PUT" && error?.url == request.url)
    }
  }
}
