import Foundation
import Snapshotting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Texts of data")
struct DataTests {
  @Test("readable shows all bytes, and more than sixteen in rows")
  func bytes() {
    #expect(
      taken(Data(repeating: 1, count: 33), as: .readable)
        == "Data(33 bytes, \n\(Array(repeating: "01", count: 32).joined(separator: " "))\n01)")
    #expect(taken(["a": UnsafeRawPointer(bitPattern: 1)], as: .readable) == "[\n  \"a\": UnsafeRawPointer(…)\n]")
  }

  @Test("the text of data is equal exactly for equal bytes")
  func unequalBytes() throws {
    let bytes = Generator.array(of: .int(in: 0...255), count: 0...80)
    try checkProperty("the text of data is injective", count: 300, bytes, bytes) { left, right in
      let (left, right) = (Data(left.map(UInt8.init)), Data(right.map(UInt8.init)))
      return [Snapshotting<Data, String>.readable, .hex].allSatisfy {
        (taken(left, as: $0) == taken(right, as: $0)) == (left == right)
      }
    }
  }

  @Test("requests with different binary bodies have different texts", arguments: [false, true])
  func binaryBodies(isCurl: Bool) {
    let texts = ([[255, 1], [255, 2], [254, 1]] as [[UInt8]]).map { bytes in
      var request = URLRequest(url: URL(fileURLWithPath: "/a"))
      request.httpBody = Data(bytes)
      return taken(request, as: isCurl ? .curl : .raw)
    }
    #expect(Set(texts).count == 3)
    if isCurl { #expect(texts[0]?.contains(#"--data-binary $'\xff\x01'"#) == true) }
  }
}
