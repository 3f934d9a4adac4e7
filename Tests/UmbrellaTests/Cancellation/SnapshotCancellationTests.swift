import Boundaries
import Foundation
import Loopback
import ParallelTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request in a parallel, a future of it and a strategy over both, on a real server.
///
/// A parallel cannot be cancelled, so cancellation has to reach the future of the request.
@Suite("Cancellation of a snapshot of a future of a parallel", .timeLimit(.minutes(5)))
struct SnapshotCancellationTests {
  private typealias Answer = Result<String, NetworkError>

  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    // With a cache, cancelled requests continue on Linux.
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  private let clock = ManualClock()

  private func answer(from url: URL) -> Future<String, NetworkError> {
    session.dataFuture(with: url.appending(path: "page"), within: .seconds(5), on: clock)
      .map(immediateExecutionContext) { String(decoding: $0.0, as: UTF8.self) }
  }

  /// A strategy that runs its parallel after two seconds.
  ///
  /// - Parameter onAnswer: Called with the results of the futures.
  private func strategy(_ onAnswer: @escaping @Sendable (Answer) -> Void) -> Snapshotting<Parallel<Answer>, String> {
    let text = SimplySnapshotting.lines.pullback { (answer: Answer) in
      switch answer {
      case .success(let text): "success:\n\(text)"
      case .failure(let error): "failure:\n\(error)"
      }
    }
    let future = text.asyncPullback { (parallel: Parallel<Answer>) in
      Future<String, NetworkError>(parallel).onComplete(immediateExecutionContext, callback: onAnswer).parallel
    }
    return .waiting(for: .seconds(2), on: future, clock: clock)
  }

  /// Starts a task that waits for the snapshot and forwards its cancellation to the request.
  private func snapshotting(
    of url: URL, _ onAnswer: @escaping @Sendable (Answer) -> Void
  ) -> Task<String, any Error> {
    let end = Promise<Void, Never>()
    let parallel = Parallel<Answer> { callback in
      if end.future.isCompleted { return callback(.failure(.cancellation)) }
      let future = answer(from: url).onComplete(immediateExecutionContext) { callback($0) }
      end.future.onComplete(immediateExecutionContext) { _ in future.cancel() }
    }
    return Task {
      try await withTaskCancellationHandler {
        try await strategy(onAnswer).snapshot(parallel).value()
      } onCancel: {
        end.success(())
      }
    }
  }

  @Test("cancelling a snapshot task cancels the pending request and its timeout")
  func cancellingPendingSnapshot() async throws {
    let stalling = try await StallingServer.start()
    let (answers, onAnswer) = AsyncStream.makeStream(of: Answer.self)
    let outermost = snapshotting(of: stalling.url) { onAnswer.yield($0) }
    try await clock.advanceToNextSleep()
    await stalling.waitForPendingRequests(1)
    try await clock.nextSleep()
    outermost.cancel()
    await #expect(throws: CancellationError.self) { try await outermost.value }
    await stalling.waitForPendingRequests(0)
    try await clock.idle()
    #expect(await answers.first { _ in true }?.error?.kind == .cancelled)
    await stalling.server.stop()
  }

  @Test("cancelling a snapshot task keeps a shared future's request, and cancelling the future ends it")
  func cancellingWaitKeepsRequest() async throws {
    let stalling = try await StallingServer.start()
    let future = answer(from: stalling.url)
    let lines = SimplySnapshotting.lines.asyncPullback { (future: Future<String, NetworkError>) in
      future.parallel.map { "\($0)" }
    }
    let outermost = Task { try await lines.snapshot(future).value() }
    await stalling.waitForPendingRequests(1)
    try await clock.nextSleep()
    outermost.cancel()
    await #expect(throws: CancellationError.self) { try await outermost.value }
    #expect(future.result == nil && clock.armedCount == 1)
    future.cancel()
    await stalling.waitForPendingRequests(0)
    try await clock.idle()
    #expect(future.error?.kind == .cancelled)
    await stalling.server.stop()
  }
}
