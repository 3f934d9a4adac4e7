import Foundation
import Snapshotting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests")
struct RequestTests {
  private func request(_ url: String, _ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    change(&request)
    return request
  }

  @Test("raw shows the method, the URL with sorted items, the sorted headers and the body")
  func raw() throws {
    let post = try request("http://localhost:8080/account?b=2&a=1") {
      $0.httpMethod = "POST"
      $0.addValue("text/html", forHTTPHeaderField: "Accept")
      $0.addValue("session=1", forHTTPHeaderField: "Cookie")
      $0.httpBody = Data("email=a%40b.co".utf8)
    }
    #expect(
      taken(post, as: .raw) == """
        POST http://localhost:8080/account?a=1&b=2
        Accept: text/html
        Cookie: session=1

        email=a%40b.co
        """)
  }

  @Test("pretty formats a JSON body, and keeps any other body")
  func pretty() throws {
    let json = try request("http://a.b") { $0.httpBody = Data(#"{"b":1,"a":2}"#.utf8) }
    #expect(taken(json, as: .raw(pretty: true)) == "GET http://a.b\n\n{\n  \"a\" : 2,\n  \"b\" : 1\n}")
    let text = try request("http://a.b") { $0.httpBody = Data("no json".utf8) }
    #expect(taken(text, as: .raw(pretty: true)) == "GET http://a.b\n\nno json")
  }

  @Test("curl shows the command, with escaped quotation marks")
  func curl() throws {
    let get = try request("https://www.example.com/") { $0.addValue("text/html", forHTTPHeaderField: "Accept") }
    #expect(taken(get, as: .curl) == "curl \\\n\t--header \"Accept: text/html\" \\\n\t\"https://www.example.com/\"")
    let post = try request("https://www.example.com/s") {
      $0.httpMethod = "POST"
      $0.addValue("s={\"u\":\"1\"}", forHTTPHeaderField: "Cookie")
      $0.httpBody = Data(#"{"q":"a \"b\""}"#.utf8)
    }
    #expect(
      taken(post, as: .curl) == #"""
        curl \
        	--request POST \
        	--data "{\"q\":\"a \\\"b\\\"\"}" \
        	--cookie "s={\"u\":\"1\"}" \
        	"https://www.example.com/s"
        """#)
    #expect(
      taken(try request("http://a.b") { $0.httpMethod = "HEAD" }, as: .curl) == "curl \\\n\t--head \\\n\t\"http://a.b\""
    )
  }
}
