import Foundation
import ImageSnapshotting
import Loopback
import ParallelTesting
import Testing

private let birdsList = #"[{"name":"Puffin","picture":"/1.png"},{"name":"Swift","picture":"/2.png"}]"#

/// What each failure of the pipeline does to the rest of it; that each has its exit code is told in `BirdsFailureTests`.
@Suite("The birds' pipeline, when something fails")
struct BirdsPipelineTests {
  /// Runs the command against a server.
  private func birds(
    _ options: String..., list: HTTPReply = .response(.json(text: birdsList)),
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
    let demo = try ChildProcess.demo(["birds", "--server", server.url.absoluteString] + options)
    let outcome = await demo.outcome()
    await server.stop(grace: .zero)
    return (outcome, requests.all)
  }

  private static let good: HTTPReply = {
    let png = try? Image(width: 2, height: 2, filledWith: .white)?.pngData()
    return .response(.bytes(png ?? Data(), contentType: "image/png"))
  }()

  @Test("without one, all pictures come, in the order of the list")
  func well() async throws {
    let (outcome, requests) = try await birds { _ in Self.good }
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[1].hasPrefix("Puffin") && lines[2].hasPrefix("Swift"), "\(outcome.output)")
    #expect(requests.first == "/birds" && Set(requests.dropFirst()) == ["/1.png", "/2.png"])
  }

  @Test(
    "a list that fails leads to no request for a picture",
    arguments: [
      (11, HTTPReply.response(HTTPResponse(.notFound))), (10, .reset),
      (10, .truncated(.json(text: birdsList), afterBodyBytes: 9)),
      (12, .response(.json(text: "[null]"))), (13, .response(.json(text: #"[{"name":"Puffin"}]"#))),
      (13, .response(.json(text: #"[{"name":"Puffin","picture":null},{"name":"Swift","picture":"/2.png"}]"#))),
    ])
  func list(status: Int, reply: HTTPReply) async throws {
    let (outcome, requests) = try await birds(list: reply) { _ in Self.good }
    #expect(Int(outcome.status) == status, "\(outcome)")
    #expect(requests == ["/birds"] && outcome.output.isEmpty)
    #expect(outcome.errors.contains("Error: "))
  }

  @Test("of two pictures that fail, the first in the list is told, whichever failed first")
  func first() async throws {
    let (outcome, _) = try await birds { picture in
      picture == "1.png" ? .delayed(by: .milliseconds(50), .reset) : .response(HTTPResponse(.notFound))
    }
    #expect(outcome.status == 14 && outcome.errors.contains("No picture of the Puffin: "), "\(outcome)")
  }

  @Test("a picture that never comes does not hold up the failure of one before it, and nothing is saved")
  func notHeldUp() async throws {
    let folder = try TemporaryFolder()
    let (outcome, _) = try await birds("--timeout", "3600", "--save", folder.file("birds")) { picture in
      picture == "1.png" ? .response(HTTPResponse(410)) : .never
    }
    #expect(outcome.status == 14 && outcome.errors.contains("status 410"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("birds")))
  }
}
