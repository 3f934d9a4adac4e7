import Foundation
import Parallel
import Snapshotting
import Testing

private struct User: Encodable {
  var name = "Blobby"
  var id = 1
  var site = "a/b"
}

private struct Stubborn: Encodable {
  struct Refusal: Error {}
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}

@Suite("JSON and property lists")
struct EncodableTests {
  @Test("json shows an encodable value with sorted keys")
  func json() {
    #expect(taken(User(), as: .json) == "{\n  \"id\" : 1,\n  \"name\" : \"Blobby\",\n  \"site\" : \"a\\/b\"\n}")
    #expect(Snapshotting<User, String>.json.pathExtension == "json")
  }

  @Test("a custom encoder is used")
  func ownEncoder() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(taken(User(), as: .json(encoder)) == #"{"id":1,"name":"Blobby","site":"a/b"}"#)
  }

  @Test("json shows a value of type Any if it is a JSON object")
  func any() {
    #expect(
      taken(["b": [1, true], "a": NSNull()] as [String: Any], as: .json)?.hasPrefix("{\n  \"a\" : null,") == true)
  }

  @Test("plist shows XML")
  func plist() {
    #expect(taken(User(), as: .plist)?.contains("<key>name</key>\n\t<string>Blobby</string>") == true)
    #expect(Snapshotting<User, String>.plist.pathExtension == "plist")
  }

  @Test("a value that cannot be encoded fails with the reason, and the run ends")
  func failures() {
    func failure<Value>(of value: Value, as strategy: Snapshotting<Value, String>) -> String? {
      let log = SnapshotLog()
      let text = immediateValue(of: strategy.capture(value, SnapshotContext(log: log)))
      return text == nil || log.entries.count != 1 || log.entries[0].kind != .failure ? nil : log.entries[0].message
    }
    #expect(failure(of: Stubborn(), as: .json)?.contains("Refusal") == true)
    #expect(failure(of: Stubborn(), as: .plist)?.contains("as plist: ") == true)
    #expect(failure(of: Date() as Any, as: .json)?.contains("Make it Encodable") == true)
    #expect(failure(of: [Double.nan] as Any, as: .json)?.contains("finite numbers") == true)
  }
}
