internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl
internal import Loopback
internal import Parallel

extension Station {
  static let parallel = Station(
    title: "Parallel requests", packages: ["Parallel", "Loopback"],
    about: "Runs Parallel values, which start again for each use: traversed, raced, and timed out."
  ) { tour in
    let limit = 4
    let visitors = Visitors()
    let router = Router {
      Route(.get, "/quick") { _ in
        await visitors.enter()
        // Long enough for the other requests to arrive.
        try await Task.sleep(for: .milliseconds(20))
        await visitors.leave()
        return .text("quick")
      }
      // Ends when the server stops.
      Route(.get, "/slow") { _ in
        try await Task.sleep(for: .seconds(600))
        return .text("slow")
      }
    }
    return try await HTTPServer.start(router).use { server in
      let client = HTTPClient.curl(CurlConfiguration())
      func page(_ name: String) -> Parallel<Result<String, NetworkError>> {
        let url = server.url.appending(path: name)
        return Parallel {
          let response: Result<(Data, HTTPResponseHead), NetworkError> = await client.dataFuture(with: url).get()
          return response.map { data, _ in String(decoding: data, as: UTF8.self) }
        }
      }
      let quick = page("quick")
      let pages = try await (1...24).traverse(maxConcurrent: limit) { _ in quick }.value().map { try $0.get() }
      let (total, most) = await (visitors.total, visitors.most)
      try tour.require(pages == Array(repeating: "quick", count: 24), "Expected 24 times 'quick', got: \(pages).")
      try tour.require(total == 24 && most <= limit, "Got \(total) requests, and \(most) at a time.")
      let first = try await race(page("slow"), quick).value().get()
      try tour.require(first == "quick", "Expected 'quick' to win the race, got '\(first)'.")
      let late = try await page("slow").timeout(after: .milliseconds(50), on: ContinuousClock()).value()
      guard case .failure = late else { throw DemoError("The slow request did not time out.") }
      return TourVisit(
        summary: "24 requests, at most \(most) at a time; the faster of two won",
        exhibits: [
          .text(
            "Requests on the server, and results",
            """
            before the first run          0 requests
            one value, run 24 times      \(total) requests, at most \(most) at a time
            race of slow and quick       \(first)
            slow, limited to 50 ms       timed out
            """)
        ])
    }
  }
}

/// Counts requests in total and in flight.
private actor Visitors {
  private var present = 0
  private(set) var total = 0
  private(set) var most = 0

  func enter() {
    total += 1
    present += 1
    most = max(most, present)
  }

  func leave() { present -= 1 }
}
