import Foundation
import Futures
import Loopback
import ParallelTesting
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Failures of the command birds")
struct BirdsFailureTests {
  /// Runs the command against a server, which lists one bird by default.
  private func birds(
    list: HTTPReply = .response(.json(text: #"[{"name": "Puffin", "picture": "/puffin.png"}]"#)),
    picture: HTTPReply = .response(HTTPResponse(.notFound)),
    options: String...
  ) async throws -> (outcome: DemoProcess.Outcome, url: String) {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/birds") { _ in list }
        Route(.get, "/puffin.png") { _ in picture }
      })
    let address = server.url.absoluteString
    let outcome = try await DemoProcess.start(["birds", "--server", address] + options).outcome()
    await server.stop(grace: .zero)
    return (outcome, address)
  }

  @Test("birds exits with code 10 if the server cannot be reached")
  func unreachableServer() async throws {
    let server = try await HTTPServer.start(Router {})
    let address = server.url.absoluteString
    await server.stop()
    let outcome = try await DemoProcess.run("birds", "--server", address)
    #expect(outcome.status == 10)
    #expect(
      outcome.errors.contains("Error: Cannot GET \(address)/birds: nothing accepts connections there. Start the server")
    )
    #expect(outcome.output.isEmpty)
  }

  @Test("birds exits with code 10 if the connection closes before the list is complete")
  func incompleteList() async throws {
    let (outcome, _) = try await birds(list: .disconnected)
    #expect(outcome.status == 10)
    #expect(outcome.errors.contains("the server closed the connection without a response. Try again, or use https://"))
  }

  @Test("birds exits with code 10 if the server does not speak HTTP")
  func serverWithoutHTTP() async throws {
    let (outcome, address) = try await birds(list: .raw(Array("220 ready\r\n".utf8)))
    #expect(outcome.status == 10)
    #expect(outcome.errors.contains("Cannot GET \(address)/birds: the server does not speak HTTP. Check the host"))
  }

  @Test("birds exits with code 11 if the server responds with status 500")
  func serverError() async throws {
    let (outcome, address) = try await birds(list: .response(HTTPResponse(.internalServerError)))
    #expect(outcome.status == 11)
    #expect(outcome.errors.contains("GET \(address)/birds: the server answered with status 500 instead of 200."))
  }

  @Test(
    "birds exits with code 12 if the list is malformed",
    arguments: [
      ("<html>", "it is not valid JSON"), (#"{"name": "Puffin"}"#, "it is not a JSON array"),
      (#"[{"name": 7, "picture": "a.png"}]"#, "bird 1, 'name' is not a string"), ("", "it is not valid JSON"),
      ("[7]", "bird 1 is not an object"),
    ])
  func malformedList(text: String, reason: String) async throws {
    let (outcome, _) = try await birds(list: .response(.json(text: text)))
    #expect(outcome.status == 12)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test("birds does not read a list above the size limit to its end, and exits with code 12")
  func oversizedList() async throws {
    let (outcome, address) = try await birds(list: .response(.json(text: String(repeating: " ", count: 17 << 20))))
    let most = "the response is larger than \(16 << 20) bytes"
    #expect(outcome.status == 12 && outcome.errors.contains("GET \(address)/birds: \(most)"), "\(outcome)")
  }

  @Test("birds exits with code 13 if a bird has no name, and prints no other bird")
  func missingName() async throws {
    let list = #"[{"name": "Puffin", "picture": "/puffin.png"}, {"picture": "/swift.png"}]"#
    let (outcome, _) = try await birds(list: .response(.json(text: list)))
    #expect(outcome.status == 13)
    #expect(outcome.errors.contains("bird 2 of 2"))
    #expect(outcome.errors.contains("has no valid name"))
    #expect(outcome.output.isEmpty)
  }

  @Test("birds exits with code 14 if a picture is missing, truncated or invalid, and names the bird")
  func invalidPicture() async throws {
    let lost = HTTPReply.truncated(.bytes([UInt8](repeating: 7, count: 1_000)), afterBodyBytes: 10)
    let cases: [(HTTPReply, (String) -> String)] = [
      (
        .response(HTTPResponse(.notFound)),
        {
          " from \($0): the server answered with status 404 instead of 200. Check the address of the picture in the list."
        }
      ),
      (lost, { " from \($0): the connection closed before the response was complete. Try again." }),
      (.response(.text("I am a puffin")), { ": \($0) is not a PNG file. Correct the file on the server." }),
    ]
    for (reply, error) in cases {
      let (outcome, url) = try await birds(picture: reply)
      #expect(outcome.status == 14)
      let text = "Error: Cannot load the picture of the Puffin\(error(url + "/puffin.png"))\n"
      #expect(outcome.errors.hasSuffix(text), "\(outcome.errors)")
    }
  }

  #if os(Linux)
    @Test(
      "birds reports the limit of open files if the process runs out of file descriptors",
      arguments: [17, 19, 21])
    func fewDescriptors(limit: Int) async throws {
      let outcome = try await DemoProcess.bash(
        "ulimit -n \(limit); SWIFT_BACKTRACE=enable=no \"$demo\" birds -q --timeout 0.5")
      // Dispatch crashes without output when it gets no descriptor for itself.
      guard outcome.status > 0 else { return }
      #expect(outcome.errors.contains("ulimit -n"), "\(outcome)")
      #expect(!outcome.errors.contains("--server") && !outcome.errors.contains("status "), "\(outcome)")
    }
  #endif

  @Test("escape sequences in a bird's name never reach standard error")
  func escapeSequencesAreRemoved() async throws {
    let list = #"[{"name": "Evil\u001b]0;owned\u0007\u001b[31m red", "picture": "/puffin.png"}]"#
    let (outcome, _) = try await birds(list: .response(.json(text: list)))
    #expect(outcome.status == 14)
    #expect(outcome.errors.contains("Cannot load the picture of the Evil]0;owned[31m red from "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test("a picture that takes too long is a timeout error that names its URL")
  func pictureTimeout() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/birds") { _ in HTTPResponse.json(text: #"[{"name": "Puffin", "picture": "/puffin.png"}]"#) }
        Route(.get, "/puffin.png") { _ in
          arrived.yield()
          return HTTPReply.never
        }
      })
    let clock = ManualClock()
    let requests = RequestSession(clock: clock)
    let birds = BirdsLoader(
      requests: requests, limit: .seconds(10), color: .none, time: { .zero }, onList: { _ in }, onPicture: { _ in }
    ).birds(at: server.url.appending(path: "birds"))
    for await _ in arrivals { break }
    // The list's timer may still be armed, so advance through all sleeps.
    let time = Task { while true { try await clock.advanceToNextSleep() } }
    let outcome: Result<[LoadedBird], BirdsError> = await birds.get()
    time.cancel()
    let error = try #require(outcome.error)
    #expect(error.kind == .timedOut)
    #expect(
      error.description.contains("GET \(server.url.absoluteString)/puffin.png: no complete response within 10"),
      "\(error)")
    requests.close()
    await server.stop(grace: .zero)
  }

  @Test("birds cancels the requests in flight on Ctrl-C and exits with code 130")
  func interruptCancelsRequests() async throws {
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let (departures, departed) = AsyncStream<Void>.makeStream()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/birds") { _ in HTTPResponse.json(text: #"[{"name": "Puffin", "picture": "/puffin.png"}]"#) }
        Route(.get, "/puffin.png") { _ async -> HTTPResponse in
          await withTaskCancellationHandler {
            arrived.yield()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            return HTTPResponse(.ok)
          } onCancel: {
            departed.yield()
          }
        }
      })
    let demo = try DemoProcess.start(["birds", "--server", server.url.absoluteString])
    for await _ in arrivals { break }
    demo.interrupt()
    let outcome = await demo.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors.hasSuffix("Error: Interrupted.\n"))
    for await _ in departures { break }
    await server.stop()
  }

  @Test("Ctrl-C between the list and the pictures starts no further request and does not crash")
  func interruptBeforePictures() async throws {
    let requests = RequestSession()
    requests.close()
    let outcome = requests.ask(for: try #require(URL(string: "http://127.0.0.1:9")), within: .seconds(1)).result
    #expect(throws: BirdsError.interrupted) { try outcome?.get() }
    requests.close()
  }
}
