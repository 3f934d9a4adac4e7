import OrderTaking
import TestSupport
import Testing

@Suite("An intent") struct IntentTests {
  @Test("a key is parsed from its description") func key() throws {
    #expect(IdempotencyKey(high: 1, low: 0xabc).description == "00000000000000010000000000000abc")
    try checkProperty("keys round-trip", .int, .int) { high, low in
      let key = IdempotencyKey(high: UInt64(bitPattern: Int64(high)), low: UInt64(bitPattern: Int64(low)))
      return IdempotencyKey(key.description) == key
    }
  }

  @Test(
    "a malformed key is not parsed",
    arguments: [
      "", "1", String(repeating: "0", count: 31), String(repeating: "0", count: 33), String(repeating: "g", count: 32),
      "+0000000000000000000000000000000", "0000000000000000+000000000000000", String(repeating: "０", count: 32),
    ])
  func malformed(text: String) {
    #expect(IdempotencyKey(text) == nil)
  }
}
