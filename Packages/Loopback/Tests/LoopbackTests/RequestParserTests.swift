import TestSupport
import Testing

@testable import Loopback

@Suite struct RequestParserTests {
  func parse(_ pieces: [[UInt8]]) -> (
    requests: [RequestHead], rejection: HTTPRejection?
  ) {
    var parser = RequestParser()
    var requests: [RequestHead] = []
    do throws(HTTPRejection) {
      for piece in pieces {
        parser.append(piece)
        while let request = try parser.next() { requests.append(request) }
      }
    } catch { return (requests, error) }
    return (requests, nil)
  }

  func parse(_ text: String) -> (
    requests: [RequestHead], rejection: HTTPRejection?
  ) {
    parse([Array(text.utf8)])
  }

  @Test func `all parts of a request are parsed`() throws {
    let (requests, _) = parse(
      "PUT /a%20b?x=1&x=2 HTTP/1.1\r\nHost: localhost\r\nX-Blank:  \t v \t\r\nContent-Length: 4\r\n\r\nsoap")
    let request = try #require(requests.first).request
    #expect(request.method == .put)
    #expect(request.path == "/a b")
    #expect(request.query.values(for: "x") == ["1", "2"])
    #expect(request.headers["x-blank"] == "v")
    #expect(request.text == "soap")
  }

  @Test func `a rejection ends with the next step`() {
    let response = parse("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n").rejection?.response
    #expect(
      response
        == .text(
          "Cannot read the request: its host is not this machine. Use 127.0.0.1 or localhost.\n", status: 421))
  }

  @Test func `chunks are joined, and extensions and trailers are ignored`() throws {
    let (requests, _) = parse(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "4;a=b\r\nsoap\r\nA\r\n, and more\r\n000\r\nX-Sum: 7\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(requests.map(\.request.text) == ["soap, and more", ""])
  }

  @Test func `blank lines before a request and absolute targets are accepted`() throws {
    let (requests, rejection) = parse(
      "\r\n\r\nGET http://[::1]:1/x?y=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET http://127.0.0.1 HTTP/1.1\r\nHost: birds.localhost:80\r\n\r\n"
        + "GET HTTP://LOCALHOST/z HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET https://localhost?y=2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(rejection == nil)
    #expect(requests.map(\.request.path) == ["/x", "/", "/z", "/"])
    #expect(requests.map(\.request.target) == ["/x?y=1", "/", "/z", "/?y=2"])
    #expect(requests.last?.request.query == URLEncodedFields("y=2"))
    #expect(requests.first?.request.query == URLEncodedFields("y=1"))
  }

  @Test(arguments: [
    "\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET / HTTP/1.1\nHost: localhost\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\n\n",
  ])
  func `a line that ends in a bare line feed is rejected`(text: String) {
    let (requests, rejection) = parse(text)
    #expect(requests.isEmpty)
    #expect(rejection?.response.status == .badRequest)
  }

  @Test(arguments: ["birds.example", "127.0.0.1.birds.example", "localhost.example:80", "192.168.0.1", "", "[::2]"])
  func `a request for another host is rejected`(host: String) {
    #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").rejection?.response.status == 421)
    let absolute = "GET http://\(host)/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    #expect(parse(absolute).rejection?.response.status == 421)
  }

  @Test func `keep-alive is the default in HTTP/1.1, and requested in HTTP/1.0`() {
    let lines = [
      "GET / HTTP/1.1\r\nHost: localhost", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: foo, Close",
      "GET / HTTP/1.0", "GET / HTTP/1.0\r\nConnection: Keep-Alive",
    ]
    #expect(lines.map { parse($0 + "\r\n\r\n").requests.first?.keepsAlive } == [true, false, false, true])
  }

  @Test(arguments: [
    ("GET\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1 x\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
    ("G(T / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET / ICY\r\n\r\n", 505),
    ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n: v\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \0\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nsoap\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\n", 413),
  ]) func `a malformed request is rejected with its status`(text: String, status: Int) {
    let (requests, rejection) = parse(text)
    #expect(requests.isEmpty)
    #expect(rejection?.response.status.code == status, "\(text.debugDescription)")
  }

  @Test func `a header above the limit is rejected`() {
    let start = "GET / HTTP/1.1\r\nHost: localhost\r\nA: "
    let fitting = String(repeating: "b", count: RequestParser.headerBytes - start.utf8.count - 4)
    #expect(parse(start + fitting + "\r\n\r\n").requests.count == 1)
    #expect(parse(start + fitting + "b\r\n\r\n").rejection?.response.status == 431)
    #expect(parse("GET /" + fitting + fitting).rejection?.response.status == 431)
    #expect(parse(start + "b" + String(repeating: "\r\nA: b", count: 12_000)).rejection?.response.status == 431)
  }

  @Test func `a body above the limit is rejected before it arrives`() {
    let head = "PUT / HTTP/1.1\r\nHost: localhost\r\n"
    let tooLong = RequestParser.bodyBytes + 1
    #expect(parse(head + "Content-Length: \(tooLong - 1)\r\n\r\n").rejection == nil)
    #expect(parse(head + "Content-Length: \(tooLong)\r\n\r\n").rejection?.response.status == 413)
    let chunked = head + "Transfer-Encoding: chunked\r\n\r\n2\r\nso\r\n"
    #expect(parse(chunked + String(tooLong - 3, radix: 16) + "\r\n").rejection == nil)
    #expect(parse(chunked + String(tooLong - 2, radix: 16) + "\r\n").rejection?.response.status == 413)
    #expect(parse(chunked + String(repeating: "0", count: 70_000)).rejection?.response.status == 431)
    #expect(parse(chunked + "0\r\n" + String(repeating: "x", count: 70_000)).rejection?.response.status == 431)
  }

  @Test(arguments: [
    ("/", "/"), ("/birds/puffin", "/birds/puffin"), ("/a%20b/%C3%A9", "/a b/é"), ("/a//b/", "/a//b/"),
    ("/...", "/..."), ("/a.b", "/a.b"), ("/.hidden", "/.hidden"), ("/%25", "/%"), ("/a+b", "/a+b"),
  ]) func `a path is decoded`(encoded: String, decoded: String) {
    #expect(parse("GET \(encoded) HTTP/1.1\r\nHost: localhost\r\n\r\n").requests.first?.request.path == decoded)
  }

  @Test(arguments: [
    "birds", "/..", "/../etc/passwd", "/a/../b", "/a/./b", "/%2e%2e/etc", "/%2E./x", "/a%2fb", "/..%2Fx", "/%00",
    "/a%0d%0ab", "/%", "/%4", "/%zz", "/%ff", "/%C3", "/\u{7F}",
  ]) func `a path with .., an escaped slash or invalid text is rejected`(path: String) {
    #expect(parse("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n").rejection?.response.status == .badRequest)
  }

  @Test func `the requests do not depend on the pieces of the bytes`() {
    for seed in UInt64(0)..<300 {
      var random = SeededGenerator(seed: seed)
      let samples = [
        "GET /a?b=c HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n\r\n\r\n!",
        "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi",
        "POST /c HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
          + "10\r\n0123456789abcdef\r\n0\r\nT: r\r\n\r\n",
        "\r\nHEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n",
      ]
      let count = Int.random(in: 1...6, using: &random)
      let bytes = (0..<count).flatMap { _ in Array((samples.randomElement(using: &random) ?? "").utf8) }
      let whole = parse([bytes])
      let cut = parse(random.pieces(of: bytes))
      #expect(whole.requests.count == count, "seed \(seed)")
      #expect(whole.rejection == nil, "seed \(seed)")
      #expect(cut.requests == whole.requests, "seed \(seed)")
      #expect(parse(bytes.map { [$0] }).requests == whole.requests, "seed \(seed)")
    }
  }

  @Test func `random bytes never trap, and their pieces do not change the result`() {
    for seed in UInt64(0)..<300 {
      var random = SeededGenerator(seed: seed)
      var bytes = Array(
        "PUT /x%41 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: [0x0D, 0x0A, 0x3A, 0x20, 0x25].shuffled(using: &random).prefix(2), at: place)
        }
      }
      let whole = parse([bytes])
      let cut = parse(random.pieces(of: bytes))
      #expect(cut.requests == whole.requests, "seed \(seed)")
      #expect(cut.rejection == whole.rejection, "seed \(seed)")
    }
  }
}
