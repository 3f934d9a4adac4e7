import Foundation
import Loopback
import Terminal
import TestSupport
import Testing

@testable import Demo

@Suite("Command birds")
struct BirdsTests {
  /// Runs the command against a server, which lists one bird by default.
  private func birds(
    list: HTTPReply = .response(.json(text: #"[{"name": "Puffin", "picture": "/puffin.png"}]"#)),
    picture: HTTPReply = .response(HTTPResponse(.notFound)),
    options: String...
  ) async throws -> (outcome: DemoProcess.Outcome, server: String) {
    let router = Router {
      Route(.get, "/birds") { _ in list }
      Route(.get, "/puffin.png") { _ in picture }
    }
    return try await HTTPServer.start(router).use { server in
      let address = server.url.absoluteString
      return (try await DemoProcess.start(["birds", "--server", address] + options).outcome(), address)
    }
  }

  @Test("birds lists every bird of the embedded server with its picture's size")
  func embeddedServer() async throws {
    let outcome = try await DemoProcess.run("birds")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("Name") == true)
    #expect(lines.contains { $0.contains(#/^Atlantic puffin +Fratercula arctica +\d+×\d+ +\d+$/#) })
    #expect(lines.last?.hasPrefix("8 birds, 57376 bytes of pictures, ") == true)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test("bundled files that are missing or of another version are an error that names the file and the next step")
  func bundledFiles() throws {
    let missing = try #require(throws: DemoError.self) { try BundledFiles.data("Birds/none") }
    #expect(missing.problem.contains("Cannot read Birds/none in /") && missing.nextStep == "Build the demo again.")
    #expect(throws: DemoError.self) { try BundledFiles.items("Birds/birds.json") as [Word] }
  }

  @Test("in colour, birds shows the pictures before the table")
  func gallery() async throws {
    let outcome = try await DemoProcess.start(["birds"], environment: ["FORCE_COLOR": "3"]).outcome()
    #expect(outcome.status == 0 && outcome.output.contains("\u{1B}[") && outcome.output.contains("▀"), "\(outcome)")
  }

  @Test(
    "birds explains why it cannot load the list",
    arguments: [
      (HTTPReply.disconnected, "the server closed the connection without a response."),
      (.raw(Array("220 ready\r\n".utf8)), "the server does not speak HTTP."),
      (.response(HTTPResponse(.internalServerError)), "the response has status 500 instead of 2xx."),
      (.response(.json(text: "<html>")), "the body is not the expected JSON"),
      (.response(.json(text: #"[{"name": "Puffin"}]"#)), "picture"),
      (.response(.json(text: String(repeating: " ", count: 17 << 20))), "the response is larger than 16777216 bytes"),
    ])
  func brokenList(list: HTTPReply, reason: String) async throws {
    let (outcome, server) = try await birds(list: list)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix("Error: Cannot GET \(server)/birds: ") && outcome.errors.contains(reason), "\(outcome)")
  }

  @Test("birds names the bird whose picture is missing, truncated or invalid, and prints no other bird")
  func brokenPicture() async throws {
    let truncated = HTTPReply.truncated(.bytes([UInt8](repeating: 7, count: 1_000)), afterBodyBytes: 10)
    for (picture, reason) in [
      (.response(HTTPResponse(.notFound)), "Cannot load the picture of the Puffin. Cannot GET "),
      (truncated, "the response ended before it was complete"),
      (.response(.text("I am a puffin")), "of the Puffin. The file is not a PNG image"),
    ] as [(HTTPReply, String)] {
      let outcome = try await birds(picture: picture).outcome
      #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.contains(reason), "\(outcome)")
    }
  }

  @Test("a picture with too many pixels is refused before it is decoded")
  func hugePicture() async throws {
    // The header of 100,000 × 100,000 pixels, without data.
    let header: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 1, 0x86, 0xA0, 0, 1,
      0x86, 0xA0, 8, 2, 0, 0, 0, 0x0B, 0x15, 0x40, 0xD5,
    ]
    let outcome = try await birds(picture: .response(.bytes(header))).outcome
    #expect(outcome.status == 1 && outcome.errors.contains("too large"), "\(outcome)")
  }

  @Test("a picture that takes too long is a timeout error that names its URL")
  func pictureTimeout() async throws {
    let (outcome, server) = try await birds(picture: .never, options: "--timeout", "0.2")
    #expect(
      outcome.status == 1 && outcome.errors.contains("GET \(server)/puffin.png: no complete response within 0.2"),
      "\(outcome)")
  }

  @Test("birds exits with code 1 and a next step if nothing accepts connections")
  func unreachableServer() async throws {
    let outcome = try await DemoProcess.run("birds", "--server", "http://127.0.0.1:9")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors == "Error: Cannot GET http://127.0.0.1:9/birds: nothing accepts connections there. "
        + "Start the server, or check the host and the port.\n")
  }

  @Test("escape sequences of a server never reach the terminal")
  func escapeSequences() async throws {
    let list = #"[{"name": "Evil\u001b]0;owned\u0007", "picture": "/puffin.png"}]"#
    let outcome = try await birds(list: .response(.json(text: list))).outcome
    #expect(outcome.status == 1 && outcome.errors.contains("Evil") && !outcome.errors.contains("\u{1B}"), "\(outcome)")
  }

  @Test("birds cancels the requests in flight on Ctrl-C and exits with code 130")
  func interruptCancelsRequests() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (departures, departed) = AsyncStream<Void>.makeStream()
    let router = Router {
      Route(.get, "/birds") { _ in .json(text: #"[{"name": "Puffin", "picture": "/puffin.png"}]"#) }
      Route(.get, "/puffin.png") { _ async -> HTTPResponse in
        await withTaskCancellationHandler {
          arrived.yield()
          for await _ in AsyncStream<Never>.makeStream().stream {}
          return HTTPResponse(.ok)
        } onCancel: {
          departed.yield()
        }
      }
    }
    try await HTTPServer.start(router).use { server in
      let demo = try DemoProcess.start(["birds", "--timeout", "120", "--server", server.url.absoluteString])
      for await _ in arrivals { break }
      demo.interrupt()
      let outcome = await demo.outcome()
      #expect(outcome.status == 130 && outcome.errors == "Error: Interrupted.\n", "\(outcome)")
      for await _ in departures { break }
    }
  }
}
