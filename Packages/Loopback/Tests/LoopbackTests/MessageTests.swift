import Loopback
import Testing

@Suite struct MessageTests {
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

  @Test func `fields of a query or form are decoded in order`() {
    let fields = URLEncodedFields("name=Atlantic+puffin&tag=sea&tag=%C3%A9t%C3%A9&empty=&bare&=x&&a=b=c")
    #expect(fields["name"] == "Atlantic puffin")
    #expect(fields.values(for: "tag") == ["sea", "été"])
    #expect(fields["empty"] == "")
    #expect(fields["bare"] == "")
    #expect(fields["a"] == "b=c")
    #expect(fields["none"] == nil)
    #expect(fields.items.count == 7)
  }

  @Test func `a value with an invalid escape is not decoded`() {
    #expect(URLEncodedFields("a=100%&b=%zz&c=%4")["a"] == "100%")
    #expect(URLEncodedFields("b=%zz")["b"] == "%zz")
    #expect(URLEncodedFields("c=%ff")["c"] == "%ff")
  }
}
