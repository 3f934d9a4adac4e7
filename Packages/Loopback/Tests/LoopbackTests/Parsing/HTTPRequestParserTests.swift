import Testing

@testable import Loopback

@Suite struct HTTPRequestParserTests {
  func parse(_ pieces: [[UInt8]], _ limits: LoopbackLimits = LoopbackLimits()) -> (
    requests: [HTTPRequestHead], rejection: HTTPRejection?
  ) {
    var parser = HTTPRequestParser(limits: limits)
    var requests: [HTTPRequestHead] = []
    do throws(HTTPRejection) {
      for piece in pieces {
        parser.append(piece)
        while let request = try parser.next() { requests.append(request) }
      }
    } catch { return (requests, error) }
    return (requests, nil)
  }

  func parse(_ text: String, _ limits: LoopbackLimits = LoopbackLimits()) -> (
    requests: [HTTPRequestHead], rejection: HTTPRejection?
  ) {
    parse([Array(text.utf8)], limits)
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

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", "Cannot read the request: it has 0 Host headers instead of one. Correct the request.\n"),
    (
      "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
      "Cannot read the request: its host is not this machine. Use 127.0.0.1 or localhost.\n"
    ),
    (
      "PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: soap\r\n\r\n",
      "Cannot read the request: the only supported expectation is 100-continue. Send the request without Expect.\n"
    ),
  ])
  func `a rejection ends with the next step`(request: String, text: String) throws {
    let rejection = try #require(parse(request).rejection)
    #expect(String(decoding: rejection.response.body, as: UTF8.self) == text)
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
        + "GET http://127.0.0.1 HTTP/1.1\r\nHost: birds.localhost:80\r\n\r\n")
    #expect(rejection == nil)
    #expect(requests.map(\.request.path) == ["/x", "/"])
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
    #expect(rejection == .bareLineFeed)
  }

  @Test(arguments: ["4 soap", "4 ;", "4\t", "4;a=b", "4,4", "4 4"])
  func `only an extension may follow a chunk size`(size: String) {
    let (requests, rejection) = parse(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nsoap\r\n0\r\n\r\n")
    let isAllowed = ["4 ;", "4\t", "4;a=b"].contains(size)
    #expect(requests.map(\.request.text) == (isAllowed ? ["soap"] : []))
    #expect(rejection?.status == (isAllowed ? nil : .badRequest))
  }

  @Test(arguments: ["birds.example", "127.0.0.1.birds.example", "localhost.example:80", "192.168.0.1", "", "[::2]"])
  func `a request for another host is rejected`(host: String) {
    #expect(parse("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").rejection?.status == 421)
    let absolute = "GET http://\(host)/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    #expect(parse(absolute).rejection?.status == 421)
  }

  @Test func `keep-alive is the default in HTTP/1.1, and requested in HTTP/1.0`() {
    let lines = [
      "GET / HTTP/1.1\r\nHost: localhost", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: foo, Close",
      "GET / HTTP/1.0",
      "GET / HTTP/1.0\r\nConnection: Keep-Alive",
    ]
    #expect(lines.map { parse($0 + "\r\n\r\n").requests.first?.keepsAlive } == [true, false, false, true])
  }

  @Test(arguments: [
    ("GET\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1 x\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
    ("G(T / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET / ICY\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
    ("GET birds HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET /../x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /%2e%2e/x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n: v\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \0\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: a pony\r\n\r\n", 417),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nsoap\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFF\r\n", 413),
  ]) func `a malformed request is rejected with its status`(text: String, status: Int) {
    let (requests, rejection) = parse(text)
    #expect(requests.isEmpty)
    #expect(rejection?.status.code == status, "\(text.debugDescription)")
  }

  @Test func `a header above its limit is rejected`() {
    let text = "GET / HTTP/1.1\r\nHost: localhost\r\nA: bcd\r\n\r\n"
    var limits = LoopbackLimits()
    limits.headerBytes = text.utf8.count
    #expect(parse(text, limits).requests.count == 1)
    limits.headerBytes -= 1
    #expect(parse(text, limits).rejection?.status == 431)
    limits.headerBytes = 10
    #expect(parse("GET /aaaaaaa", limits).rejection?.status == 414)
    #expect(parse("GET / HTTP/1.1\r\n", limits).rejection?.status == 414)
  }

  @Test func `a body above its limit is rejected before it arrives`() {
    var limits = LoopbackLimits()
    limits.bodyBytes = 4
    let head = "PUT / HTTP/1.1\r\nHost: localhost\r\n"
    #expect(parse(head + "Content-Length: 4\r\n\r\nsoap", limits).requests.count == 1)
    #expect(parse(head + "Content-Length: 5\r\n\r\n", limits).rejection?.status == 413)
    let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
    #expect(parse(chunked + "2\r\nso\r\n2\r\nap\r\n0\r\n\r\n", limits).requests.count == 1)
    #expect(parse(chunked + "2\r\nso\r\n3\r\n", limits).rejection?.status == 413)
  }

  @Test func `a control byte in a chunk extension or a trailer is rejected`() {
    let chunked = "PUT / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    for byte in ["\0", "\u{1}", "\u{1B}", "\u{7F}"] {
      #expect(parse(chunked + "1;a=\(byte)\r\nx\r\n0\r\n\r\n").rejection?.status == .badRequest)
      #expect(parse(chunked + "1\r\nx\r\n0\r\nT: \(byte)\r\n\r\n").rejection?.status == .badRequest)
    }
    #expect(parse(chunked + "1;\ta=b\r\nx\r\n0\r\nT:\tr\r\n\r\n").requests.count == 1)
  }

  @Test func `the size lines and the trailer of a chunked body have limits`() {
    var limits = LoopbackLimits()
    limits.headerBytes = 100
    let chunked = "PUT / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    let endless = String(repeating: "x", count: 2_000)
    #expect(parse(chunked + "1;" + endless, limits).rejection?.status == .badRequest)
    #expect(parse(chunked + "0\r\n" + endless, limits).rejection?.status == 431)
    let many = String(repeating: "A: b\r\n", count: 30)
    #expect(parse(chunked + "0\r\n" + many, limits).rejection?.status == 431)
  }

  @Test func `100-continue is due once, and only before the first byte of the body`() throws {
    var parser = HTTPRequestParser(limits: LoopbackLimits())
    let head = "PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    parser.append(Array(head.utf8))
    #expect(try parser.next() == nil)
    let leave = [parser.takeContinue(), parser.takeContinue()]
    #expect(leave == [true, false])
    parser.append(Array(("soap" + head + "s").utf8))
    #expect(try parser.next()?.request.text == "soap")
    #expect(try parser.next() == nil)
    let none = parser.takeContinue()
    #expect(!none)
  }

  @Test func `the requests do not depend on the pieces of the bytes`() {
    for seed in UInt64(0)..<300 {
      var random = Seeded(seed)
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
      var random = Seeded(seed)
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
