internal import Foundation
internal import Terminal

/// The events of a session, all at once that have come since somebody looked last.
///
/// `@unchecked Sendable`: `lock` guards `events` and `end`; `reading` is the main actor's.
final class EventInbox: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [TerminalEvent] = []
  private var end: Result<Void, any Error>?
  private let arrivals: AsyncStream<Void>
  private let arrived: AsyncStream<Void>.Continuation
  private var reading: Task<Void, Never>?

  /// Begins to take the events of a session.
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

  /// Waits until there are events; `nil` after the last ones.
  ///
  /// - Throws: What reading them throws.
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
      // Only a cancelled task hears of no arrival.
      guard await arrival.next() != nil else { return nil }
    }
  }

  /// Takes no more.
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
