import Foundation
import ImageSnapshotting
import Loopback
import TestSupport
import Testing

private let birdsList = #"[{"name":"Puffin","picture":"/1.png"},{"name":"Swift","picture":"/2.png"}]"#

/// The signals that terminate a process.
private let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

/// Runs the command with a real server for every way to end: the exit code, the message and the remaining requests.
@Suite("Pipeline of the command birds", .timeLimit(.minutes(5)))
struct BirdsPipelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the command with a server and saves its pictures in the folder `birds`.
  private func birds(
    _ options: [String] = [], list: HTTPReply = .response(.json(text: birdsList)),
    pictures: @escaping @Sendable (String) -> HTTPReply
  ) async throws -> (outcome: ChildProcess.Outcome, requests: [String]) {
    let requests = Log<String>()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/birds") { _ in list }
        Route(.get, "/:picture") { request in pictures(request.parameters["picture"] ?? "") }
      }.mapReplies { request, reply in
        requests.append(request.path)
        return reply
      })
    let words = ["birds", "--server", server.url.absoluteString, "--save", folder.file("birds")]
    let outcome = try await ChildProcess.demo(words + options).outcome()
    await server.stop(grace: .zero)
    return (outcome, requests.all)
  }

  private var saved: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("birds"))) ?? []).sorted()
  }

  @Test("all pictures load and print in the order of the list")
  func allPicturesLoad() async throws {
    let (outcome, requests) = try await birds { _ in .response(.puffin) }
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[1].hasPrefix("Puffin") && lines[2].hasPrefix("Swift"), "\(outcome.output)")
    #expect(requests.first == "/birds" && Set(requests.dropFirst()) == ["/1.png", "/2.png"])
    #expect(saved == ["puffin.png", "swift.png"])
  }

  @Test("a failed list prevents all picture requests, and nothing is saved", arguments: BirdsFailure.ofTheList)
  func failedList(failure: BirdsFailure) async throws {
    let (outcome, requests) = try await birds(failure.options, list: failure.reply) { _ in .response(.puffin) }
    #expect(outcome.status == failure.status && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("Error: ") && outcome.errors.contains(failure.words), "\(outcome)")
    #expect(Set(requests) == ["/birds"] && saved.isEmpty)
  }

  @Test(
    "a failed picture is reported with its bird's name, and nothing is saved",
    arguments: BirdsFailure.ofAPicture)
  func failedPicture(failure: BirdsFailure) async throws {
    let (outcome, requests) = try await birds(failure.options) { $0 == "1.png" ? failure.reply : .response(.puffin) }
    #expect(outcome.status == failure.status && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("Error: ") && outcome.errors.contains(failure.words), "\(outcome)")
    #expect(requests.first == "/birds" && saved.isEmpty)
  }

  @Test("a stopped server is reported as unreachable")
  func stoppedServer() async throws {
    let server = try await HTTPServer.start(Router {})
    await server.stop()
    let outcome = try await ChildProcess.demo(["birds", "--server", server.url.absoluteString]).outcome()
    #expect(outcome.status == 10 && outcome.errors.contains("nothing accepts connections there"), "\(outcome)")
  }

  @Test("the first failed picture in list order is reported, whichever failed first")
  func firstFailureInListOrder() async throws {
    let (outcome, _) = try await birds { picture in
      picture == "1.png" ? .delayed(by: .milliseconds(50), .reset) : .response(HTTPResponse(.notFound))
    }
    #expect(
      outcome.status == 14 && outcome.errors.contains("Cannot load the picture of the Puffin from "), "\(outcome)")
  }

  @Test("a pending picture does not delay the failure of an earlier one")
  func pendingPictureDoesNotDelayFailure() async throws {
    let (outcome, _) = try await birds(["--timeout", "3600"]) { picture in
      picture == "1.png" ? .response(HTTPResponse(410)) : .never
    }
    #expect(outcome.status == 14 && outcome.errors.contains("status 410"), "\(outcome)")
    #expect(saved.isEmpty)
  }

  @Test("a picture that cannot be saved is reported by name, and pictures saved before it stay")
  func unwritablePicture() async throws {
    let taken = folder.file("birds/swift.png")
    try FileManager.default.createDirectory(atPath: taken + "/x", withIntermediateDirectories: true)
    let (outcome, requests) = try await birds { _ in .response(.puffin) }
    #expect(outcome.status == 16 && outcome.output.isEmpty && requests.count == 3, "\(outcome)")
    #expect(outcome.errors.contains("Error: Cannot write \(taken): "), "\(outcome)")
    #expect(saved == ["puffin.png", "swift.png"])
  }

  @Test("an invalid command line sends no request")
  func usageErrorSendsNoRequest() async throws {
    let (outcome, requests) = try await birds(["--timeout", "soon"]) { _ in .response(.puffin) }
    #expect(outcome.status == 64 && requests.isEmpty, "\(outcome)")
  }

  @Test("a signal cancels the pending requests, and the exit code contains its number", arguments: signals)
  func signalCancelsRequests(signal: Int32) async throws {
    let stalling = try await StallingServer.start(answering: ["/birds": .json(text: birdsList)])
    let demo = try ChildProcess.demo([
      "birds", "--server", stalling.url.absoluteString, "--timeout", "3600", "--save", folder.file("birds"),
    ])
    await stalling.waitForPendingRequests(2)
    demo.send(signal)
    let outcome = await demo.outcome()
    #expect(outcome.status == 128 + signal && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.hasSuffix("Error: Interrupted.\n") && saved.isEmpty, "\(outcome)")
    await stalling.waitForPendingRequests(0)
    await stalling.server.stop()
  }

  @Test("every exit code in the help of birds has a test")
  func everyExitCodeHasATest() async throws {
    let help = try await ChildProcess.demo(["birds", "--help"]).outcome().output
    let promised = help.matches(of: #/(?m)^ +(\d+)  \S/#).compactMap { Int32($0.output.1) }
    // The tests of exit codes cover the codes for unexpected errors and unavailable ports.
    let elsewhere: [Int32] = [1, 18]
    let seen =
      (BirdsFailure.ofTheList + BirdsFailure.ofAPicture).map(\.status) + signals.map { 128 + $0 } + [0, 16, 64]
      + elsewhere
    #expect(Set(promised) == Set(seen), "\(promised)")
  }
}

/// An invalid response of a server, and the command's exit code and message.
struct BirdsFailure: Sendable, CustomTestStringConvertible {
  let status: Int32
  let testDescription: String
  let reply: HTTPReply
  let words: String
  var options: [String] = []

  init(_ status: Int32, _ name: String, _ reply: HTTPReply, says words: String, _ options: String...) {
    (self.status, testDescription, self.reply, self.words) = (status, name, reply, words)
    // A long timeout, so that only the timeout tests end by timeout.
    self.options = options.isEmpty ? ["--timeout", "3600"] : options
  }

  private static func json(_ text: String) -> HTTPReply { .response(.json(text: text)) }

  static let ofTheList: [BirdsFailure] = {
    var elsewhere = HTTPResponse(302)
    elsewhere.headers.append("Location", "/birds")
    return [
      BirdsFailure(11, "leads to itself", .response(elsewhere), says: "too many HTTP redirects. Check the address"),
      BirdsFailure(10, "reset", .reset, says: "the server closed the connection without a response"),
      BirdsFailure(10, "closed", .disconnected, says: "the server closed the connection without a response"),
      BirdsFailure(10, "cut off", .truncated(.json(text: birdsList), afterBodyBytes: 9), says: "the connection closed"),
      BirdsFailure(
        11, "not found", .response(HTTPResponse(.notFound)), says: "status 404 instead of 200. Check the address"),
      BirdsFailure(
        11, "broken", .response(HTTPResponse(.internalServerError)), says: "status 500 instead of 200. Look at the"),
      BirdsFailure(12, "no JSON", json("<html>"), says: "it is not valid JSON"),
      BirdsFailure(12, "null", json("[null]"), says: "bird 1 is null"),
      BirdsFailure(13, "nameless", json(#"[{"name":" ","picture":"/1.png"}]"#), says: "bird 1 of 1"),
      BirdsFailure(13, "pictureless", json(#"[{"name":"Puffin"}]"#), says: "has no valid picture"),
      BirdsFailure(
        13, "null picture", json(#"[{"name":"Puffin","picture":null},{"name":"Swift"}]"#), says: "bird 1 of 2"),
      BirdsFailure(15, "never", .never, says: "/birds: no complete response within 0.2 seconds.", "--timeout", "0.2"),
    ]
  }()

  static let ofAPicture: [BirdsFailure] = {
    let puffin = "Cannot load the picture of the Puffin"
    var huge = HTTPResponse.puffin
    // The width follows 8 bytes of signature, 4 of length and 4 of name.
    huge.body.replaceSubrange(16..<20, with: [0x7F, 0xFF, 0xFF, 0xFF])
    return [
      BirdsFailure(14, "not found", .response(HTTPResponse(.notFound)), says: puffin + " from http"),
      BirdsFailure(14, "reset", .reset, says: puffin + " from http"),
      BirdsFailure(14, "cut off", .truncated(.puffin, afterBodyBytes: 9), says: puffin + " from http"),
      BirdsFailure(14, "no PNG", .response(.text("I am a puffin")), says: "/1.png is not a PNG file"),
      BirdsFailure(14, "nothing", .response(.text("")), says: "/1.png is not a PNG file"),
      BirdsFailure(
        14, "half a PNG", .response(.bytes(HTTPResponse.puffin.body.prefix(40))),
        says: "/1.png is a truncated PNG file. Correct the file on the server."),
      BirdsFailure(14, "a PNG of a thousand million pixels a row", .response(huge), says: "/1.png has too many pixels"),
    ]
  }()
}

extension HTTPResponse {
  /// A PNG of four white pixels.
  fileprivate static let puffin: HTTPResponse = {
    let png = try? Image(width: 2, height: 2, filledWith: .white)?.pngData()
    return .bytes(png ?? Data(), contentType: "image/png")
  }()
}
