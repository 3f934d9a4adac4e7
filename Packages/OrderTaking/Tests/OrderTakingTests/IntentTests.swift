import OrderTaking
import TestSupport
import Testing

@Suite("An intent") struct IntentTests {
  @Test(
    "the fingerprint of an intent is the SHA-256 of its body",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
  func hash(text: String, digest: String) {
    let intent = TakingIntent(order: 7, key: IdempotencyKey(high: 1, low: 2), body: Array(text.utf8))
    #expect(intent.fingerprint.description == digest)
    #expect(RequestFingerprint(digest) == intent.fingerprint)
  }

  @Test("a key is parsed from its description") func key() throws {
    #expect(IdempotencyKey(high: 1, low: 0xabc).description == "00000000000000010000000000000abc")
    try checkProperty("keys round-trip", .int, .int) { high, low in
      let key = IdempotencyKey(high: UInt64(bitPattern: Int64(high)), low: UInt64(bitPattern: Int64(low)))
      return IdempotencyKey(key.description) == key
    }
  }

  @Test(
    "a malformed key or fingerprint is not parsed",
    arguments: [
      "", "1", String(repeating: "0", count: 31), String(repeating: "0", count: 33), String(repeating: "g", count: 32),
      "+0000000000000000000000000000000", "0000000000000000+000000000000000", String(repeating: "０", count: 32),
    ])
  func malformed(text: String) {
    #expect(IdempotencyKey(text) == nil)
    #expect(RequestFingerprint(text + text) == nil)
  }
}
