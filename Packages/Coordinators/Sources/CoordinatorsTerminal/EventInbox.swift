internal import Foundation
internal import Terminal

/// Collects the events of a session, and returns all events since the last call together.
///
/// `@unchecked Sendable`: `lock` guards `events` and `end`; only the main actor uses `reading`.
final class EventInbox: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [TerminalEvent] = []
  private var end: Result<Void, any Error>?
  private let arrivals: AsyncStream<Void>
  private let arrived: AsyncStream<Void>.Continuation
  private var reading: Task<Void, Never>?

  /// Begins to collect the events of a session.
  @MainActor
  init(_ session: TerminalSession) {
    (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    reading = Task.detached { [self] in
      do {
        for try await event in session.events { add(event) }
        finish(.success(()))
      } catch { finish(.failure(error)) }
    }
  }

  /// Waits for events; returns `nil` after the last ones.
  ///
  /// - Throws: The error of the session's event stream.
  @MainActor
  func next() async throws -> [TerminalEvent]? {
    while true {
      let (events, end) = take()
      if !events.isEmpty { return events }
      switch end {
      case .success?: return nil
      case .failure(let error)?: throw error
      case nil: break
      }
      var arrival = arrivals.makeAsyncIterator()
      // The stream never finishes, so `nil` means that the task was cancelled.
      guard await arrival.next() != nil else { return nil }
    }
  }

  /// Stops collecting events.
  @MainActor
  func close() { reading?.cancel() }

  private func add(_ event: TerminalEvent) {
    lock.withLock { events.append(event) }
    arrived.yield()
  }

  private func finish(_ result: Result<Void, any Error>) {
    lock.withLock { end = result }
    arrived.yield()
  }

  private func take() -> (events: [TerminalEvent], end: Result<Void, any Error>?) {
    lock.withLock {
      defer { events = [] }
      return (events, end)
    }
  }
}
