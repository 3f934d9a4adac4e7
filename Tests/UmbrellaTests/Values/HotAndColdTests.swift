import Boundaries
import Foundation
import Loopback
import ParallelTesting
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

  @Test("a failed request appears in the snapshot")
  func failureInSnapshot() async throws {
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/broken") { _ in HTTPReply.truncated(.text("half an answer"), afterBodyBytes: 4) }
        Route(.get, "/whole") { _ in HTTPResponse.text("a whole answer") }
      })
    let (url, session) = (server.url, URLSession(configuration: .ephemeral))
    let strategy = SimplySnapshotting.lines.pullback { (result: Result<String, NetworkError>) in
      switch result {
      case .success(let text): "success:\n\(text)"
      case .failure(let error): "failure:\n\(error)"
      }
    }
    .asyncPullback { (path: String) in
      Future<String, NetworkError>(
        Parallel<Result<(Data, HTTPURLResponse), NetworkError>> { callback in
          session.dataFuture(with: url.appending(path: path)).onComplete(immediateExecutionContext) { callback($0) }
        }.map { $0.map { String(decoding: $0.0, as: UTF8.self) } }
      ).parallel
    }
    let address = Redaction("the server") { $0.replacing(/127\.0\.0\.1:\d+/, with: "<server>") }
    await expectSnapshot(of: "whole", as: strategy, named: "whole", timeout: 60)
    await expectSnapshot(of: "broken", as: strategy.redacting(address), named: "broken", timeout: 60)
    await server.stop()
  }

  @Test("the delays of a strategy, a parallel and a future add up on one clock")
  func delaysAddUp() async throws {
    let clock = ManualClock()
    let now = clock.now
    let arrivals = Log<ManualClock.Instant>()
    let slow = Parallel(value: "puffin").delay(for: .seconds(1), on: clock)
    let strategy = Snapshotting<Parallel<String>, String>.waiting(
      for: .seconds(2),
      on: SimplySnapshotting.lines.asyncPullback { (parallel: Parallel<String>) in
        arrivals.append(clock.now)
        return Future<String, Never>(parallel).delay(for: .seconds(3), on: clock).parallel.map { $0.value }
      }, clock: clock)
    async let text = strategy.snapshot(slow).value()
    for _ in 1...3 { try await clock.advanceToNextSleep() }
    #expect(try await text == "puffin")
    #expect(arrivals.all == [now.advanced(by: .seconds(2))] && clock.now == now.advanced(by: .seconds(6)))
  }
}

extension Result where Failure == Never {
  fileprivate var value: Success {
    switch self {
    case .success(let value): value
    }
  }
}
