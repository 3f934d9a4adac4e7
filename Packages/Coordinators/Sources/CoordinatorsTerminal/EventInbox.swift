internal import Foundation
internal import Terminal

/// A thread reads the events until the session ends.
///
/// `@unchecked Sendable`: `lock` guards `events` and `end`.
final class EventInbox: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [TerminalEvent] = []
  private var end: Result<Void, any Error>?
  private let arrivals: AsyncStream<Void>
  private let arrived: AsyncStream<Void>.Continuation

  init(_ session: TerminalSession) {
    (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let thread = Thread { [self] in
      finish(Result { while let event = try session.readEvent() { add(event) } })
    }
    thread.name = "terminal-events"
    thread.start()
  }

  /// Waits for events; returns `nil` after the last ones.
  ///
  /// - Throws: The error of reading the terminal.
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
