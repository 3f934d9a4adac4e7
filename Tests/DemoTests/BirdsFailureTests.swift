import Foundation
import Futures
import Loopback
import ParallelTesting
import Terminal
import Testing

@testable import Demo

@Suite("demo birds, when something fails")
struct BirdsFailureTests {
  /// Runs the command against a server that lists one bird, unless told otherwise.
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

  @Test("10: the server cannot be reached")
  func unreachable() async throws {
    let server = try await HTTPServer.start(Router {})
    let address = server.url.absoluteString
    await server.stop()
    let outcome = try await DemoProcess.run("birds", "--server", address)
    #expect(outcome.status == 10)
    #expect(outcome.errors.contains("Error: GET \(address)/birds: nothing accepts connections there. Start the server"))
    #expect(outcome.output.isEmpty)
  }

  @Test("10: the connection ends before the list is there")
  func disconnected() async throws {
    let (outcome, _) = try await birds(list: .disconnected)
    #expect(outcome.status == 10)
    #expect(outcome.errors.contains("the connection ended before the whole answer was there"))
  }

  @Test("11: the server answers with status 500")
  func status() async throws {
    let (outcome, address) = try await birds(list: .response(HTTPResponse(.internalServerError)))
    #expect(outcome.status == 11)
    #expect(outcome.errors.contains("GET \(address)/birds: the server answered with status 500 instead of 200."))
  }

  @Test(
    "12: the list is malformed",
    arguments: [
      ("<html>", "it is not valid JSON"), (#"{"name": "Puffin"}"#, "the list is not of type"),
      (#"[{"name": 7, "picture": "a.png"}]"#, "bird 1, 'name' is not of type String"), ("", "it is not valid JSON"),
    ])
  func malformed(text: String, reason: String) async throws {
    let (outcome, _) = try await birds(list: .response(.json(text: text)))
    #expect(outcome.status == 12)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test("12: the list has no end; no more of it is read than a list may have")
  func endless() async throws {
    let (outcome, address) = try await birds(list: .response(.json(text: String(repeating: " ", count: 17 << 20))))
    let most = "the answer has more than \(RequestDesk.mostBytes) bytes, the most that is taken"
    #expect(outcome.status == 12 && outcome.errors.contains("GET \(address)/birds: \(most)"), "\(outcome)")
  }

  @Test("13: a bird without a name, and no other bird is shown in its stead")
  func nameless() async throws {
    let list = #"[{"name": "Puffin", "picture": "/puffin.png"}, {"picture": "/swift.png"}]"#
    let (outcome, _) = try await birds(list: .response(.json(text: list)))
    #expect(outcome.status == 13)
    #expect(outcome.errors.contains("bird 2 of 2"))
    #expect(outcome.errors.contains("has no valid name"))
    #expect(outcome.output.isEmpty)
  }

  @Test("14: a picture is not there, breaks off, or is no picture; the message names the bird")
  func picture() async throws {
    for reply in [
      HTTPReply.response(HTTPResponse(.notFound)),
      .truncated(.bytes([UInt8](repeating: 7, count: 1_000)), afterBodyBytes: 10),
      .response(.text("I am a puffin")),
      .reset,
    ] {
      let (outcome, _) = try await birds(picture: reply)
      #expect(outcome.status == 14)
      #expect(outcome.errors.contains("Cannot load the picture of the Puffin: "), "\(outcome.errors)")
    }
  }

  @Test("an error shows no escape sequence that a server put into a name")
  func escapeSequences() async throws {
    let list = #"[{"name": "Evil\u001b]0;owned\u0007\u001b[31m red", "picture": "/puffin.png"}]"#
    let (outcome, _) = try await birds(list: .response(.json(text: list)))
    #expect(outcome.status == 14)
    #expect(outcome.errors.contains("Cannot load the picture of the Evil]0;owned[31m red: "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test("15: a picture takes too long, which is told of its address")
  func timedOut() async throws {
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
    let requests = RequestDesk(clock: clock)
    let birds = BirdsLoader(
      requests: requests, limit: .seconds(10), color: .none, time: { .zero }, onList: { _ in }, onPicture: { _ in }
    ).birds(at: server.url.appending(path: "birds"))
    for await _ in arrivals { break }
    // The list's alarm may be on its way out still.
    let time = Task { while true { try await clock.advanceToNextSleep() } }
    let outcome: Result<[LoadedBird], BirdsError> = await birds.get()
    time.cancel()
    let error = try #require(outcome.error)
    #expect(error.kind == .timedOut)
    #expect(
      error.description.contains("GET \(server.url.absoluteString)/puffin.png: no whole answer within 10"), "\(error)")
    requests.close()
    await server.stop(grace: .zero)
  }

  @Test("130: Ctrl-C ends the requests in flight")
  func interrupted() async throws {
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

  @Test("130: Ctrl-C between the list and the requests for pictures makes none of them, and ends no process by a trap")
  func interruptedBeforeTheRequests() async throws {
    let requests = RequestDesk()
    requests.close()
    let outcome = requests.ask(for: try #require(URL(string: "http://127.0.0.1:9")), within: .seconds(1)).result
    #expect(throws: BirdsError.interrupted) { try outcome?.get() }
    requests.close()
  }
}
