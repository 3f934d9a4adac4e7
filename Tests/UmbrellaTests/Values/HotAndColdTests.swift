import Boundaries
import Foundation
import Loopback
import TestSupport
import SnapshotAssertions
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Checks how often, and when, a cold parallel and a hot future run under a snapshot strategy.
@Suite("Parallels, futures and snapshots")
struct HotAndColdTests {
  private let coldLines = SimplySnapshotting.lines.asyncPullback { (parallel: Parallel<String>) in parallel }
  private let hotLines = SimplySnapshotting.lines.asyncPullback { (future: Future<String, Never>) in
    future.parallel.map { result in result.value }
  }

  @Test("each snapshot of a parallel sends a request, and snapshots of a future share one response")
  func requestsAreShared() async throws {
    let requests = Log<Int>()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/number") { _ in
          requests.append(requests.all.count + 1)
          return HTTPResponse.text("answer \(requests.all.count)")
        }
      })
    let (url, session) = (server.url.appending(path: "number"), URLSession(configuration: .ephemeral))
    let parallel = Parallel<String> { callback in
      session.dataFuture(with: url).onComplete(immediateExecutionContext) { result in
        callback(result.value.map { String(decoding: $0.0, as: UTF8.self) } ?? "\(result)")
      }
    }
    #expect(requests.all.isEmpty)
    #expect(try await coldLines.snapshot(parallel).value() == "answer 1")
    #expect(try await coldLines.snapshot(parallel).value() == "answer 2")
    let future = Future<String, Never>(parallel)
    #expect(try await hotLines.snapshot(future).value() == "answer 3")
    #expect(try await hotLines.snapshot(future).value() == "answer 3")
    #expect(try await coldLines.snapshot(future.parallel.map { $0.value }).value() == "answer 3")
    #expect(requests.all == [1, 2, 3])
    await server.stop()
  }
}

extension Result where Failure == Never {
  fileprivate var value: Success {
    switch self {
    case .success(let value): value
    }
  }
}
