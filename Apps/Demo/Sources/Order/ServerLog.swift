internal import Dispatch
internal import OrderTaking

/// Prints the entries of a server on its own queue, so that a slow or stopped reader of the output never delays a request.
final class ServerLog: Sendable {
  /// The maximum number of entries that wait for the reader.
  ///
  /// Later entries are dropped and counted.
  private static let limit = 10_000

  private let timeline: Timeline
  private let queue = DispatchQueue(label: "demo.order.serve.log")
  private let state = Locked((waiting: 0, dropped: 0))

  init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// Prints an entry after all earlier ones, with the time of this call.
  func show(_ entry: TimelineEntry) {
    let time = timeline.now
    let isWaiting = state.withLock { state in
      let hasRoom = state.waiting < Self.limit
      if hasRoom { state.waiting += 1 } else { state.dropped += 1 }
      return hasRoom
    }
    guard isWaiting else { return }
    queue.async { [self] in
      timeline.show(entry, at: time)
      let dropped = state.withLock { state in
        state.waiting -= 1
        guard state.waiting == 0 else { return 0 }
        defer { state.dropped = 0 }
        return state.dropped
      }
      if dropped > 0 { timeline.show(TimelineEntry("server", "\(dropped) lines dropped: the reader was too slow")) }
    }
  }

  /// Returns when all earlier entries are printed.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
