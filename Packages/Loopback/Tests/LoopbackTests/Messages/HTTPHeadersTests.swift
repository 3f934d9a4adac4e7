import Loopback
import Testing

@Suite struct HTTPHeadersTests {
  @Test func `names are compared without case, and sent unchanged`() {
    var headers: HTTPHeaders = ["Content-Type": "text/plain", "X-A": "1"]
    #expect(headers["CONTENT-TYPE"] == "text/plain")
    headers["content-type"] = "text/html"
    #expect(headers.fields.map(\.name) == ["X-A", "content-type"])
    headers["X-a"] = nil
    #expect(headers.fields.count == 1)
  }

  @Test func `a name can occur several times, in order`() {
    var headers: HTTPHeaders = ["Set-Cookie": "a=1"]
    headers.append("set-cookie", "b=2")
    #expect(headers.values(for: "SET-COOKIE") == ["a=1", "b=2"])
    #expect(headers["Set-Cookie"] == "a=1")
  }

  @Test func `a value cannot add a header line`() {
    let headers: HTTPHeaders = ["Location": "/a\r\nSet-Cookie: evil=1\0"]
    #expect(headers["Location"] == "/a  Set-Cookie: evil=1 ")
  }

  @Test(arguments: ["", "a b", "a:", "a\r\n", "ä"]) func `a field with an invalid name is dropped`(name: String) {
    var headers = HTTPHeaders()
    headers.append(name, "value")
    #expect(headers.fields.isEmpty)
  }
}
