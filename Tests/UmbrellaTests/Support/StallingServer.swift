import Foundation
import Loopback
import ParallelTesting

/// A server that holds each request until whoever sent it goes away, but for those that it was given an answer to.
struct HoldingServer: Sendable {
  let server: HTTPServer
  /// The paths of the requests that it has held, in order.
  let requests: Log<String>
  private let counts: AsyncStream<Int>

  /// - Parameter answers: What it answers, by the path that is asked for.
  static func start(answering answers: [String: HTTPResponse] = [:]) async throws -> HoldingServer {
    let (counts, count) = AsyncStream.makeStream(of: Int.self)
    let held = Held { count.yield($0) }
    let requests = Log<String>()
    let hold: @Sendable (HTTPRequest) async -> HTTPReply = { request in
      if let answer = answers[request.path] { return .response(answer) }
      requests.append(request.path)
      held.change(by: 1)
      for await _ in AsyncStream<Never>.makeStream().stream {}
      // The stream of nothing ends only when this task is cancelled, which the server does when the connection is gone.
      held.change(by: -1)
      return .never
    }
    var limits = LoopbackLimits()
    limits.handlerTimeout = .seconds(3_600)
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/*path", handler: hold)
        Route(.put, "/*path", handler: hold)
      }, limits: limits)
    return HoldingServer(server: server, requests: requests, counts: counts)
  }

  var url: URL { server.url }

  /// Waits until it holds so many requests.
  func holds(_ wanted: Int) async {
    for await count in counts where count == wanted { return }
  }
}

/// `@unchecked Sendable`: `lock` guards `count`, and keeps what is told in order.
private final class Held: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  private let tell: @Sendable (Int) -> Void

  init(_ tell: @escaping @Sendable (Int) -> Void) { self.tell = tell }

  func change(by difference: Int) {
    lock.withLock {
      count += difference
      tell(count)
    }
  }
}
