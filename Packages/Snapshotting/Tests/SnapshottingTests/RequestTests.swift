import Foundation
import Testing

@testable import Snapshotting

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
    for body in ["no json", "[01]", #"{"a":1,"a":2}"#, "\u{FEFF}[1]"] {
      let text = try request("http://a.b") { $0.httpBody = Data(body.utf8) }
      #expect(taken(text, as: .raw(pretty: true)) == "GET http://a.b\n\n\(body)")
    }
  }

  @Test("pretty keeps the spelling of numbers, and texts that look like numbers")
  func numbers() throws {
    let body = ##"[1.0,1,-1E+2,0.10,12345678901234567890123.5,"1.0","$1","#1 \"2\"","\u0301, 1"]"##
    let json = try request("http://a.b") { $0.httpBody = Data(body.utf8) }
    let lines = taken(json, as: .raw(pretty: true))?.split(separator: "\n").dropFirst(2).dropLast().map {
      $0.trimmingCharacters(in: [" ", ","])
    }
    let numbers = ["1.0", "1", "-1E+2", "0.10", "12345678901234567890123.5"]
    #expect(lines == numbers + [#""1.0""#, #""$1""#, ##""#1 \"2\"""##, "\"\u{301}, 1\""])
  }

  @Test("a request shows the URL that is sent, with encoded query items and the base of a relative URL")
  func sentURL() throws {
    let encoded = try request("http://a.b/?b=%2B&a=+")
    #expect(taken(encoded, as: .raw) == "GET http://a.b/?a=+&b=%2B")
    let relative = URLRequest(url: try #require(URL(string: "c?d", relativeTo: URL(string: "http://a.b/"))))
    #expect(taken(relative, as: .raw) == "GET http://a.b/c?d")
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

  @Test(
    "the command of curl passes every text on to the server as it is",
    arguments: [
      "$HOME `id` $(id) \\ !", "@/etc/hosts", "it's \"quoted\"", "{\"a\": \"b \\\"c\\\" \\\\ $\"}", "a\nb\tc\u{1}", "é",
      "'", "",
      "%s \\0 \\n",
    ])
  func shell(text: String) throws {
    let post = try request("http://a.b/$c?d=$e&f='g'") {
      $0.httpMethod = "POST"
      $0.httpBody = Data(text.utf8)
      $0.addValue("$a `b` \\ \"c\"", forHTTPHeaderField: "X-Text")
      $0.addValue("k=$v `w`", forHTTPHeaderField: "Cookie")
    }
    let arguments = try run(try #require(taken(post, as: .curl)))
    #expect(arguments.contains("X-Text: $a `b` \\ \"c\"") && arguments.contains("k=$v `w`"))
    #expect(arguments.contains(text) && arguments.contains { $0.hasPrefix("http://a.b/$c?d=$e&f=") })
    #expect(arguments.contains("--data-raw") == text.hasPrefix("@"))
  }

  @Test(
    "the command of curl passes bytes that are no text on to the server",
    arguments: [[0], [0xFF, 0x25, 0x5C, 0], [0x41, 0]] as [[UInt8]])
  func bytes(bytes: [UInt8]) throws {
    let post = try request("http://a.b") {
      $0.httpMethod = "POST"
      $0.httpBody = Data(bytes)
    }
    let command = try #require(taken(post, as: .curl))
    #expect(command.contains("--data-binary @-"))
    #expect(try output(of: command.replacingOccurrences(of: "| curl", with: "| cat #")) == Data(bytes))
  }

  @Test("a GET request with a body, a header without a value and a cookie without one are sent as they are")
  func special() throws {
    let get = try request("http://a.b/?c[]=1") {
      $0.httpBody = Data("x".utf8)
      $0.addValue("", forHTTPHeaderField: "X-Empty")
      $0.addValue("file", forHTTPHeaderField: "Cookie")
    }
    let command = try #require(taken(get, as: .curl))
    #expect(command.contains("--request GET") && command.contains("--header \"X-Empty;\""))
    #expect(command.contains("--header \"Cookie: file\"") && !command.contains("--cookie"))
    #expect(command.contains("--globoff") == command.contains("["))
  }

  @Test("a request with a body stream fails, because a stream can be read once")
  func stream() throws {
    let streaming = try request("http://a.b") { $0.httpBodyStream = InputStream(data: Data([1])) }
    for strategy in [Snapshotting<URLRequest, String>.raw, .raw(pretty: true), .curl] {
      let log = SnapshotLog()
      #expect(immediateValue(of: strategy.capture(streaming, SnapshotContext(log: log))) != nil)
      #expect(log.entries.map(\.kind) == [.failure])
      #expect(log.entries.first?.message.contains("httpBodyStream of the request http://a.b") == true)
    }
  }

  /// Runs a command with a shell in which `curl` prints its arguments, each followed by NUL.
  private func run(_ command: String) throws -> [String] {
    let data = try output(of: "curl() { printf '%s\\0' \"$@\"; }\n\(command)")
    return data.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }

  private func output(of script: String) throws -> Data {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }
}
