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
    picture: HTTPReply = .response(HTTPResponse(.notFound))
  ) async throws -> (outcome: DemoProcess.Outcome, server: String) {
    let router = Router {
      Route(.get, "/birds") { _ in list }
      Route(.get, "/puffin.png") { _ in picture }
    }
    return try await HTTPServer.start(router).use { server in
      let address = server.url.absoluteString
      // The other tests of this process can delay its server.
      return (try await DemoProcess.start(["birds", "--server", address, "--timeout", "120"]).outcome(), address)
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

  @Test("in colour, birds shows the pictures before the table")
  func gallery() async throws {
    let outcome = try await DemoProcess.start(["birds"], environment: ["FORCE_COLOR": "3"]).outcome()
    #expect(outcome.status == 0 && outcome.output.contains("\u{1B}[") && outcome.output.contains("▀"), "\(outcome)")
  }

  /// Lists that cannot be used, by the end of the message.
  private static let brokenLists: [String: HTTPReply] = [
    "the server closed the connection without a response.": .disconnected,
    "the server does not speak HTTP.": .raw(Array("220 ready\r\n".utf8)),
    "the response has status 500 instead of 2xx.": .response(HTTPResponse(.internalServerError)),
    "the body is not the expected JSON": .response(.json(text: "<html>")),
    "picture": .response(.json(text: #"[{"name": "Puffin"}]"#)),
    "the response is larger than 16777216 bytes": .response(.json(text: String(repeating: " ", count: 17 << 20))),
  ]

  // The reply is no argument, because Swift Testing describes each byte of an argument.
  @Test("birds explains why it cannot load the list", arguments: brokenLists.keys.sorted())
  func brokenList(reason: String) async throws {
    let (outcome, server) = try await birds(list: try #require(Self.brokenLists[reason]))
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
