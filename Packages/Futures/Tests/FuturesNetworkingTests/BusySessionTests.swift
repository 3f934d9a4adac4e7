import Dispatch
import Foundation
import Futures
import FuturesNetworking
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests in a session that is busy")
struct BusySessionTests {
  @Test("cancelling a request does not wait for the session, and stops the request afterwards")
  func cancel() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [BlockingProtocol.self]
    let session = URLSession(configuration: configuration)
    let url = try #require(URL(string: "http://birds.invalid/"))
    // On Linux all sessions share a queue, so other tests can block all threads of Swift concurrency.
    let (error, wasOpen) = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let future = session.dataFuture(with: url)
        BlockingProtocol.gate.waitForStart()
        future.cancel()
        let outcome = (future.error, BlockingProtocol.gate.isOpen)
        BlockingProtocol.gate.open()
        continuation.resume(returning: outcome)
      }
    }
    #expect(error?.kind == .cancelled)
    #expect(!wasOpen)
    await BlockingProtocol.gate.hasStopped.get()
  }
}

/// A protocol whose start blocks the session until its gate opens, at most ten seconds.
private final class BlockingProtocol: URLProtocol {
  static let gate = Gate()

  override static func canInit(with request: URLRequest) -> Bool { true }

  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() { Self.gate.pass() }

  override func stopLoading() { Self.gate.stop() }
}

private final class Gate: Sendable {
  private let started = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)
  private let openFlag = Atomic(false)
  private let stopped = Promise<Void, Never>()

  var isOpen: Bool { openFlag.load(ordering: .acquiring) }
  var hasStopped: Future<Void, Never> { stopped.future }

  func waitForStart() { started.wait() }

  func pass() {
    started.signal()
    if opened.wait(timeout: .now() + 10) == .timedOut { openFlag.store(true, ordering: .releasing) }
  }

  func open() {
    openFlag.store(true, ordering: .releasing)
    opened.signal()
  }

  func stop() { stopped.success(()) }
}
