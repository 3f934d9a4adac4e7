internal import Dispatch
internal import Foundation
internal import Futures
internal import Loopback
internal import Parallel

extension TourContext {
  /// Runs `Parallel` values that send requests: none before they run, traversed with a limit, raced, and timed out.
  func parallel() async throws -> TourVisit {
    let limit = 4
    let visitors = Visitors(holding: limit)
    let router = Router {
      Route(.get, "/quick") { _ in
        defer { visitors.leave() }
        try await visitors.enter()
        return HTTPResponse.text("quick")
      }
      // Ends when the server stops.
      Route(.get, "/slow") { _ in
        try await Task.sleep(for: .seconds(600))
        return HTTPResponse.text("slow")
      }
    }
    return try await with(router) { server in
      let requests = RequestSession()
      defer { requests.close() }
      func page(_ name: String) -> Parallel<Result<String, BirdsError>> {
        let url = server.appending(path: name)
        return Parallel {
          await requests.ask(for: url, within: .seconds(30)).get().map { data, _ in
            String(decoding: data, as: UTF8.self)
          }
        }
      }
      let quick = page("quick")
      try require(visitors.total == 0, "A Parallel value sent a request before it was run.")
      let pages = try await (1...24).traverse(maxConcurrent: limit) { _ in quick }.value().map { try $0.get() }
      let most = visitors.most
      try require(
        visitors.total == 24, "Expected 24 requests from 24 runs, got \(visitors.total).")
      try require(pages.allSatisfy { $0 == "quick" }, "Expected 'quick' from each request, got: \(Set(pages)).")
      try require(most == limit, "Expected \(limit) requests at a time, got \(most).")
      let first = try await race(page("slow"), quick).value().get()
      try require(first == "quick", "Expected 'quick' to win the race, got '\(first)'.")
      let late = try await page("slow").timeout(after: .milliseconds(50), on: ContinuousClock()).value()
      guard case .failure = late else { throw TourFailure(description: "The slow request did not time out.") }
      return TourVisit(
        summary: "24 requests, at most \(most) at a time; the faster of two won",
        exhibits: [
          .text(
            "Requests on the server, and results",
            """
            before the first run          0 requests
            one value, run 24 times      \(visitors.total - 1) requests, at most \(most) at a time
            race of slow and quick       \(first)
            slow, limited to 50 ms       timed out
            """)
        ])
    }
  }
}

/// Counts requests in total and in flight.
///
/// Holds the first requests until the expected number is in flight, or until the server cancels a handler.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
private final class Visitors: @unchecked Sendable {
  private let lock = NSLock()
  private var present = 0
  private var (count, peak) = (0, 0)
  private let held: Int
  private let gate = Promise<Void, Never>()

  init(holding held: Int) {
    self.held = held
  }

  var total: Int { lock.withLock { count } }
  var most: Int { lock.withLock { peak } }

  /// - Throws: `CancellationError` when the server cancels a held handler.
  func enter() async throws {
    let place = lock.withLock {
      count += 1
      present += 1
      peak = max(peak, present)
      return count
    }
    guard place <= held else { return }
    if place == held {
      // Wait a little, so that a request above the limit would be counted.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { [gate] in gate.success(()) }
    }
    try await gate.future.value(orCancelled: CancellationError())
  }

  func leave() { lock.withLock { present -= 1 } }
}
