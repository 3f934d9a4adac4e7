import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingClients

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A hostile response") struct HostileAnswerTests {
  static let statuses = [200, 204, 301, 400, 401, 404, 409, 422, 429, 500, 503, 999]

  static func error(_ status: Int, _ data: Data) -> HTTPError {
    let fields = ["Retry-After": "99999999999999999999999"]
    return Wire.error(
      data, HTTPResponseHead(url: URL(fileURLWithPath: "/"), statusCode: status, headerFields: fields))
  }

  static func read(_ data: Data) {
    do {
      if case .declined(let reason) = try Wire.answer(data) { #expect(reason.unicodeScalars.count <= 1_000) }
    } catch {
      #expect(error.mayHaveReachedServer && error.declineReason == nil && error.message.utf8.count < 500)
    }
    for status in statuses {
      let error = Self.error(status, data)
      #expect(error.status == status && error.retryAfter == .seconds(86_400))
      #expect((error.declineReason?.unicodeScalars.count ?? 0) <= 1_000)
      #expect((error.problem?.rawValue.unicodeScalars.count ?? 0) <= 100)
    }
  }

  @Test("a response of random bytes leaves the outcome unknown") func bytes() throws {
    try checkNeverThrows("random bytes are read without a trap", count: 300, .array(of: .int(in: 0...255))) { bytes in
      Self.read(Data(bytes.map(UInt8.init)))
    }
  }

  @Test("a response with changed bytes is read without a trap") func mutated() throws {
    let answers = [
      #"{"result": "declined", "reason": "order_cancelled"}"#, #"{"result": "accepted"}"#,
      #"{"decline_reason": "late", "error": "idempotency_key_mismatch"}"#,
    ].map { Array($0.utf8) }
    try checkNeverThrows(
      "changed answers are read without a trap", count: 500, .int(in: 0...2), .int(in: 0...60), .int(in: 0...255),
      .int(in: 0...60)
    ) { which, place, byte, length in
      var bytes = answers[which]
      bytes[place % bytes.count] = UInt8(byte)
      Self.read(Data(bytes))
      Self.read(Data(bytes.prefix(length)))
    }
  }

  @Test(
    "a response that is deeply nested, endless or out of range leaves the outcome unknown",
    arguments: [
      String(repeating: "[", count: 60_000), String(repeating: #"{"result":"#, count: 6_000),
      #"{"result": "# + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000) + "}",
      #"{"result": 1e999999}"#, #"{"result": "\ud800"}"#, #"{"result": "accepted", "result": "declined"}"#,
      "\u{FEFF}{}", #"{"reason": ""# + String(repeating: "x", count: 60_000),
      #"{"result": "declined", "reason": ""# + String(repeating: "x", count: 60_000) + #""}"#,
      #"{"result": "accepted"}"# + String(repeating: " ", count: 200_000),
    ])
  func shapes(text: String) {
    Self.read(Data(text.utf8))
  }

  @Test("a response beyond the limit leaves the outcome unknown, even if it starts with an acceptance") func long() {
    let text = #"{"result": "accepted"}"# + String(repeating: " ", count: Wire.longestBody)
    let error = #expect(throws: HTTPError.self) { try Wire.answer(Data(text.utf8)) }
    #expect(error?.message == "cannot read an answer of \(text.utf8.count) bytes")
    #expect(Self.error(400, Data((#"{"decline_reason": "late"}"# + text).utf8)).declineReason == nil)
  }

  @Test("a server's texts are shortened to one line") func words() throws {
    let reason = "late\n[error] all is lost\u{1B}[31m\u{7F}" + String(repeating: "é", count: 2_000)
    let body = try JSONEncoder().encode(["decline_reason": reason, "error": String(repeating: "x", count: 200)])
    let error = Self.error(422, body)
    #expect(error.declineReason?.hasPrefix("late [error] all is lost [31m é") == true)
    #expect(error.declineReason?.count == 1_000 && error.problem?.rawValue.count == 100)
  }

  @Test(
    "control characters in a reason become spaces, over HTTP and in pushes",
    arguments: [
      "\u{85}", "\u{9B}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{1B}", "\n",
    ])
  func hostileCharacters(character: String) throws {
    let reason = "late\(character)x" + String(repeating: "é", count: 2_000)
    let cut = "late x" + String(repeating: "é", count: 994)
    #expect(Self.error(422, try JSONEncoder().encode(["decline_reason": reason])).declineReason == cut)
    struct Push: Encodable { let type = "push", cursor = 1, order = "7", result = "declined", reason: String }
    guard case .push(let push) = ServerMessage([UInt8](try JSONEncoder().encode(Push(reason: reason)))) else {
      return #expect(Bool(false), "no push")
    }
    #expect(push.result == .declined(cut))
    let goodbye = ServerMessage([UInt8](try JSONEncoder().encode(["type": "goodbye", "reason": reason])))
    #expect(goodbye == .goodbye(reason: cut))
  }

  @Test("random bytes with any status from a real server are an error") func overTheWire() async throws {
    let numbers = Locked(SeededGenerator(seed: 11))
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/orders/:id/taking") { _ in
          numbers.withLock { numbers in
            let status: HTTPStatus = [200, 201, 302, 400, 418, 500, 599][Int.random(in: 0..<7, using: &numbers)]
            let body = (0..<Int.random(in: 0...3_000, using: &numbers)).map { _ in
              UInt8.random(in: 0...255, using: &numbers)
            }
            return .response(HTTPResponse(status, headers: ["Retry-After": "\(body.count)"], body: body))
          }
        }
      })
    let client = OrderHTTPClient<String, Data>.live(at: server.url, over: .curl()) { $0 }
    let intent = TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
    for _ in 0..<60 {
      let future = client.take(intent)
      await #expect(throws: HTTPError.self) { try await future.get() }
    }
    await server.stop()
  }
}

@Suite("Retry-After") struct RetryAfterTests {
  static let now = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test("Retry-After is a number of seconds, at most a day") func seconds() {
    #expect(Wire.retryAfter("7", at: nil) == .seconds(7))
    #expect(Wire.retryAfter(" 0 ", at: nil) == .zero)
    #expect(Wire.retryAfter("9999999999999999999999", at: nil) == .seconds(86_400))
    for text in ["", "-1", "soon", "1.5", "7 s", "٧"] { #expect(Wire.retryAfter(text, at: Self.now) == nil) }
    #expect(Wire.retryAfter(nil, at: Self.now) == nil)
  }

  @Test(
    "a Retry-After date is relative to the response's Date", arguments: ["Sun, 06 Nov 1994 08:51:07 GMT"])
  func dates(text: String) {
    #expect(Wire.retryAfter(text, at: Self.now) == .seconds(90))
    // The clock of this machine is not used.
    #expect(Wire.retryAfter(text, at: nil) == nil)
    #expect(Wire.retryAfter(Self.now, at: text) == .zero)
    #expect(Wire.retryAfter("Fri, 06 Nov 2099 08:51:07 GMT", at: Self.now) == .seconds(86_400))
  }

  @Test(
    "an invalid Retry-After date is ignored",
    arguments: [
      "GMT", "Sun, 06 Nov 1994 08:51:07 CET", "Sun, 32 Nov 1994 08:51:07 GMT", "Sun, 06 Foo 1994 08:51:07 GMT",
      "Sun, 06 Nov 1994 25:51:07 GMT", "Sun, 06 Nov 1994 08:60:07 GMT", "Sunday, 06-Nov-94 08:51:07 GMT",
      "Sun Nov  6 08:51:07 1994", String(repeating: "Sun, ", count: 20),
    ])
  func invalidDates(text: String) {
    #expect(Wire.retryAfter(text, at: Self.now) == nil)
    #expect(Wire.retryAfter(Self.now, at: text) == nil)
  }

  @Test("any Retry-After is read without a trap") func fuzz() throws {
    try checkNeverThrows("any text", count: 500, .string) { text in _ = Wire.retryAfter(text, at: text) }
    for year in ["0000", "9999", "99999", "999999999999999"] {
      _ = Wire.retryAfter("Sun, 06 Nov \(year) 08:51:07 GMT", at: Self.now)
    }
  }
}

@Suite("Secrets") struct SecretTests {
  @Test("neither the token nor a password in the URL appears in an error") func errors() async throws {
    let server = try await HTTPServer.start(Router {})
    var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    (parts.user, parts.password) = ("driver", "hunter2")
    let base = try #require(parts.url)
    await server.stop()
    let token = TokenSource("sesame") { Future(error: .status(401)) }
    let client = OrderHTTPClient<String, Data>.live(
      at: base, over: .curl(), token: token
    ) { $0 }
    let intent = TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
    let error = await #expect(throws: HTTPError.self) { try await client.take(intent).get() }
    let said = "\(try #require(error))" + String(reflecting: error)
    #expect(said.contains("/orders/7/taking"))
    for secret in ["sesame", "hunter2", "driver"] { #expect(!said.contains(secret)) }
  }

  @Test("neither tokens nor details appear in a log entry") func log() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/orders/:id/taking") { request in
          request.headers["Authorization"] == "Bearer fresh-secret"
            ? .response(.json(text: #"{"result": "accepted"}"#)) : .response(HTTPResponse(401))
        }
        Route(.get, "/orders/:id") { _ in .response(.text("secret address")) }
      })
    let log = Locked<[String]>([])
    let taker = OrderTaker<String, String>(
      httpClient: .live(
        at: server.url, over: .curl(),
        token: TokenSource("stale-secret") { Future(value: "fresh-secret") }
      ) { String(decoding: $0, as: UTF8.self) }, journal: .inMemory(),
      deliveringOn: immediateExecutionContext,
      log: { entry in log.withLock { $0.append(String(reflecting: entry)) } })
    #expect(try await taker.acceptance(of: "7", body: Array("secret body".utf8)).details == "secret address")
    let entries = log.withLock { $0 }
    #expect(entries.count >= 6 && !entries.contains { $0.contains("secret") })
    await server.stop()
  }
}
