import Foundation
import FuturesNetworking
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingClients

@Suite("A hostile response") struct HostileResponseTests {
  static func error(_ status: Int, _ data: Data) -> HTTPError {
    let fields = ["Retry-After": "99999999999999999999999"]
    return Wire.error(HTTPResponseHead(statusCode: status, headerFields: fields), data, from: "http://x")
  }

  static func read(_ data: Data) {
    do {
      if case .declined(let reason) = try Wire.answer(data) { #expect(reason.unicodeScalars.count <= 1_000) }
    } catch {
      #expect(error.mayHaveReachedServer && error.declineReason == nil && error.message.utf8.count < 500)
    }
    for status in [301, 400, 401, 404, 409, 422, 429, 500, 503, 999] {
      let error = Self.error(status, data)
      #expect(error.status == status && error.retryAfter == .seconds(86_400))
      #expect((error.declineReason?.unicodeScalars.count ?? 0) <= 1_000)
      #expect((error.problem?.rawValue.unicodeScalars.count ?? 0) <= 100)
    }
    _ = Wire.ServerLine([UInt8](data))
    _ = Wire.ClientLine([UInt8](data))
  }

  @Test("random bytes, and texts with changed bytes, are read without a trap") func bytes() throws {
    try checkNeverThrows("random bytes are read without a trap", count: 300, .array(of: .int(in: 0...255))) { bytes in
      Self.read(Data(bytes.map(UInt8.init)))
    }
    let texts = [
      #"{"result": "declined", "reason": "order_cancelled"}"#, #"{"problem": "declined", "reason": "late"}"#,
      #"{"type":"push","cursor":1,"order":"7","key":"00000000000000010000000000000002","result":"accepted"}"#,
    ].map { Array($0.utf8) }
    try checkNeverThrows(
      "changed answers are read without a trap", count: 500, .int(in: 0...2), .int(in: 0...90), .int(in: 0...255),
      .int(in: 0...90)
    ) { which, place, byte, length in
      var bytes = texts[which]
      bytes[place % bytes.count] = UInt8(byte)
      Self.read(Data(bytes))
      Self.read(Data(bytes.prefix(length)))
    }
  }

  @Test(
    "a response that is deeply nested, endless or out of range leaves the outcome unknown",
    arguments: [
      String(repeating: "[", count: 60_000), String(repeating: #"{"result":"#, count: 6_000),
      #"{"result": 1e999999}"#, #"{"result": "\ud800"}"#, #"{"result": "accepted", "result": "declined"}"#,
      "\u{FEFF}{}", #"{"reason": ""# + String(repeating: "x", count: 60_000),
      #"{"result": "accepted"}"# + String(repeating: " ", count: 200_000),
    ])
  func shapes(text: String) {
    Self.read(Data(text.utf8))
  }

  @Test("a response beyond the limit is an error, even if it starts with an acceptance") func long() {
    let text = #"{"result": "accepted"}"# + String(repeating: " ", count: Wire.bodyLimit)
    let error = #expect(throws: HTTPError.self) { try Wire.answer(Data(text.utf8)) }
    #expect(error?.message == "cannot read an answer of \(text.utf8.count) bytes")
    let decline = #"{"problem": "declined", "reason": "late"}"# + text
    #expect(Self.error(400, Data(decline.utf8)).declineReason == nil)
  }

  @Test(
    "a server's texts are shortened to one line, over HTTP and in pushes",
    arguments: [
      "\u{85}", "\u{9B}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{1B}", "\n",
    ])
  func texts(character: String) throws {
    let reason = "late\(character)x" + String(repeating: "é", count: 2_000)
    let cut = "late x" + String(repeating: "é", count: 994)
    let body = Wire.json(Wire.Body(declinedBecause: reason))
    #expect(Self.error(422, Data(body.utf8)).declineReason == cut)
    let problem = Wire.json(Wire.Body(problem: String(repeating: "x\(character)", count: 200)))
    #expect(Self.error(422, Data(problem.utf8)).problem?.rawValue == String(repeating: "x ", count: 50))
    let push = Wire.Push(cursor: 1, order: "7", key: nil, result: .declined(reason))
    guard case .push(let read) = Wire.ServerLine(Array(Wire.ServerLine.push(push).text.utf8)) else {
      return #expect(Bool(false), "no push")
    }
    #expect(read.result == .declined(cut))
    #expect(Wire.ServerLine(Array(Wire.ServerLine.goodbye(reason: reason).text.utf8)) == .goodbye(reason: cut))
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

  @Test("a Retry-After date is relative to the response's Date, not to the clock of this machine") func dates() {
    let text = "Sun, 06 Nov 1994 08:51:07 GMT"
    #expect(Wire.retryAfter(text, at: Self.now) == .seconds(90))
    #expect(Wire.retryAfter(text, at: nil) == nil)
    #expect(Wire.retryAfter(Self.now, at: text) == .zero)
    #expect(Wire.retryAfter("Fri, 06 Nov 2099 08:51:07 GMT", at: Self.now) == .seconds(86_400))
  }

  @Test(
    "an invalid Retry-After date is ignored",
    arguments: [
      "GMT", "Sun, 06 Nov 1994 08:51:07 CET", "Sun, 32 Nov 1994 08:51:07 GMT", "Sun, 06 Foo 1994 08:51:07 GMT",
      "Sun, 06 Nov 1994 25:51:07 GMT", "Sunday, 06-Nov-94 08:51:07 GMT", String(repeating: "Sun, ", count: 20),
    ])
  func invalidDates(text: String) {
    #expect(Wire.retryAfter(text, at: Self.now) == nil)
    #expect(Wire.retryAfter(Self.now, at: text) == nil)
  }
}
