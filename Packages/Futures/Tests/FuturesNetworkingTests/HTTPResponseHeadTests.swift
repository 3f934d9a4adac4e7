import Foundation
import FuturesNetworking
import Testing

@Suite("The head of a response") struct HTTPResponseHeadTests {
  @Test("a header field is found whatever the case of its name is") func fields() throws {
    let url = try #require(URL(string: "http://localhost/"))
    let head = HTTPResponseHead(url: url, statusCode: 204, headerFields: ["Retry-After": "2", "ETag": "a"])
    #expect(head.value(forHTTPHeaderField: "retry-after") == "2" && head.value(forHTTPHeaderField: "ETag") == "a")
    #expect(head.value(forHTTPHeaderField: "Location") == nil && head.statusCode == 204 && head.url == url)
  }
}
