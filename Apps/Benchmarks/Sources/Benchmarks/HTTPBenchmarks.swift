import BenchmarkHarness
import CurlBaseline
import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The benchmarks of the HTTP client on libcurl, against a C program that uses libcurl directly.
///
/// Both request a short body from the same server in this process, over connections that are used again.
let http: [Benchmark] = [
  .ratio("HTTP: 1,000 requests, one at a time", atMost: 1.43, to: "libcurl in C") {
    try await get(1_000, atOnce: 1)
  } baseline: {
    try await getInC(1_000, atOnce: 1)
  },
  .ratio("HTTP: 10,000 requests, 64 in flight", atMost: 1.43, to: "libcurl in C") {
    try await get(10_000, atOnce: 64)
  } baseline: {
    try await getInC(10_000, atOnce: 64)
  },
]

private func get(_ count: Int, atOnce: Int) async throws -> Int {
  try await withServer { url in
    let client = HTTPClient.curl()
    let request = URLRequest(url: url)
    let end = Promise<Void, Never>()
    let remaining = Atomic(count)
    @Sendable func getNext(_ index: Int) {
      guard index < count else { return }
      client.dataFuture(for: request).onComplete(immediateExecutionContext) { result in
        precondition((try? result.get().1.statusCode) == 200)
        if remaining.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { end.success(()) }
        getNext(index + atOnce)
      }
    }
    for index in 0..<atOnce { getNext(index) }
    await end.future.get()
  }
  return count
}

private func getInC(_ count: Int, atOnce: Int) async throws -> Int {
  try await withServer { url in
    // On a new thread, because it blocks the thread.
    let successes = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: Int(curl_baseline_get(url.absoluteString, Int32(count), Int32(atOnce))))
      }
    }
    precondition(successes == count)
  }
  return count
}

private func withServer(_ body: (URL) async -> Void) async throws {
  let text = String(repeating: "a", count: 100)
  let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text(text) } })
  await body(URL(string: "http://127.0.0.1:\(server.port)/") ?? URL(fileURLWithPath: "/"))
  await server.stop(grace: .zero)
}
