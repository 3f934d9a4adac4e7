internal import Foundation

/// An event for the drawing.
struct TimelineMark: Sendable, Equatable {
  /// The time since the start.
  let time: Duration
  /// The channel of the event, or `crash`.
  let lane: String
  var kind = TimelineEvent.Kind.step
  let text: String
}

/// Collects the events of two processes and a server, with one clock.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
final class TourTimeline: @unchecked Sendable {
  private let lock = NSLock()
  private let clock = ContinuousClock()
  private let start = ContinuousClock().now
  private var noted: [TimelineMark] = []
  private var last = ""

  var marks: [TimelineMark] { lock.withLock { noted } }

  /// The last line of a process that was not an event.
  var lastOutput: String { lock.withLock { last } }

  /// Adds an event of the server or of a process.
  func note(_ event: TimelineEvent) { note(event.channel.rawValue, event.text, event.kind) }

  /// Adds a mark in any lane.
  func note(_ lane: String, _ text: String, _ kind: TimelineEvent.Kind = .step) {
    lock.withLock {
      noted.append(TimelineMark(time: start.duration(to: clock.now), lane: lane, kind: kind, text: text))
    }
  }

  /// Parses a line of `demo order --json`.
  func note(line: String) {
    guard let event = try? JSONDecoder().decode(TimelineEvent.self, from: Data(line.utf8)) else {
      return lock.withLock { last = line }
    }
    note(event)
  }
}
