import Foundation
import Loopback

/// A server that keeps each request pending until its client disconnects.
struct StallingServer: Sendable {
  let server: HTTPServer
  private let counts: AsyncStream<Int>

  static func start() async throws -> StallingServer {
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    let pending = PendingCount { count.yield($0) }
    let hold: @Sendable (HTTPRequest) async -> HTTPReply = { _ in
      pending.change(by: 1)
      for await _ in AsyncStream<Never>.makeStream().stream {}
      // The stream ends when this task is cancelled. The server cancels it when the client disconnects.
      pending.change(by: -1)
      return .never
    }
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/*path", handler: hold)
        Route(.put, "/*path", handler: hold)
      })
    return StallingServer(server: server, counts: counts)
  }

  var url: URL { server.url }

  /// Waits until this number of requests is pending.
  func waitForPendingRequests(_ wanted: Int) async {
    for await count in counts where count == wanted { return }
  }
}

/// Counts pending requests.
///
/// `@unchecked Sendable`: `lock` guards `count` and keeps the reports in order.
private final class PendingCount: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  private let report: @Sendable (Int) -> Void

  init(_ report: @escaping @Sendable (Int) -> Void) { self.report = report }

  func change(by difference: Int) {
    lock.withLock {
      count += difference
      report(count)
    }
  }
}
