import Testing

@testable import Loopback

@Suite struct URLTests {
  @Test(arguments: [
    ("/", "/"), ("/birds/puffin", "/birds/puffin"), ("/a%20b/%C3%A9", "/a b/é"), ("/a//b/", "/a//b/"),
    ("/...", "/..."), ("/a.b", "/a.b"), ("/.hidden", "/.hidden"), ("/%25", "/%"), ("/a+b", "/a+b"),
  ]) func `a path is decoded`(encoded: String, decoded: String) {
    #expect(HTTPRequestHead.decodedPath(encoded) == decoded)
  }

  @Test(arguments: [
    "", "birds", "/..", "/../etc/passwd", "/a/../b", "/a/./b", "/%2e%2e/etc", "/%2E./x", "/a%2fb", "/..%2Fx", "/%00",
    "/a%0d%0ab", "/%", "/%4", "/%zz", "/%ff", "/%C3", "/\u{7F}",
  ]) func `a path with .., an escaped slash or invalid text is rejected`(encoded: String) {
    #expect(HTTPRequestHead.decodedPath(encoded) == nil)
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
