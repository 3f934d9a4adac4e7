internal import Dispatch
internal import Foundation
internal import Futures
internal import Loopback
internal import Parallel

extension TourWorld {
  /// Parallels of requests: cold, traversed with a limit, raced, and given up when they take too long.
  func parallel() async throws -> TourVisit {
    let limit = 4
    let visitors = Visitors(holding: limit)
    let router = Router {
      Route(.get, "/quick") { _ in
        defer { visitors.leave() }
        try await visitors.enter()
        return HTTPResponse.text("quick")
      }
      // Nobody waits for it to the end; the server ends it when it stops.
      Route(.get, "/slow") { _ in
        try await Task.sleep(for: .seconds(600))
        return HTTPResponse.text("slow")
      }
    }
    return try await with(router) { server in
      let requests = RequestDesk()
      defer { requests.close() }
      func page(_ name: String) -> Parallel<String> {
        let url = server.appending(path: name)
        return Parallel {
          let answer = await requests.ask(for: url, within: .seconds(600)).get() as Result<_, BirdsError>
          return (try? answer.get()).map { data, _ in String(decoding: data, as: UTF8.self) } ?? "nothing"
        }
      }
      let quick = page("quick")
      try require(visitors.total == 0, "A parallel that nobody has run should not have asked the server.")
      let pages = try await (1...24).traverse(maxConcurrent: limit) { _ in quick }.value()
      let most = visitors.most
      try require(
        visitors.total == 24, "24 runs of one parallel should ask 24 times, and asked \(visitors.total) times.")
      try require(pages.allSatisfy { $0 == "quick" }, "Each should be answered, and the answers were: \(Set(pages)).")
      try require(most == limit, "\(limit) should be under way at a time, and there were \(most).")
      let first = try await race(page("slow"), quick).value()
      try require(first == "quick", "The quick one should win the race, and \(first) did.")
      let late = try await page("slow").timeout(after: .milliseconds(50), on: ContinuousClock()).value()
      guard case .failure = late else { throw TourFailure(description: "A slow answer should have been given up.") }
      return TourVisit(
        summary: "24 requests, at most \(most) at a time; a race; one given up",
        exhibits: [
          .text(
            "What the server saw, and what came of it",
            """
            before anything was run       0 requests
            one value, run 24 times      \(visitors.total - 1) requests, at most \(most) at a time
            a race of slow and quick     \(first)
            slow, for 50 ms              given up
            """)
        ])
    }
  }
}

/// Counts who is served, in all and at a time, and holds the first ones until as many are there as should be, or until the
/// server gives up a handler that is too slow.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
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

  /// - Throws: `CancellationError` when whoever is held is given up.
  func enter() async throws {
    let place = lock.withLock {
      count += 1
      present += 1
      peak = max(peak, present)
      return count
    }
    guard place <= held else { return }
    if place == held {
      // One too many has the time to come, too.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { [gate] in gate.success(()) }
    }
    try await gate.future.value(orCancelled: CancellationError())
  }

  func leave() { lock.withLock { present -= 1 } }
}
