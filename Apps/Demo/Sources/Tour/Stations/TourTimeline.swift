internal import Foundation

/// Something that happened, for a drawing.
struct TimelineMark: Sendable, Equatable {
  /// Since the beginning.
  let time: Duration
  /// Where: a channel of the order, or what happened to its process.
  let lane: String
  let text: String
}

/// Collects what two processes and a server tell, by one clock.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class TourTimeline: @unchecked Sendable {
  private let lock = NSLock()
  private let clock = ContinuousClock()
  private let start = ContinuousClock().now
  private var noted: [TimelineMark] = []
  private var last = ""

  var marks: [TimelineMark] { lock.withLock { noted } }

  /// What a process said last that was no event.
  var lastWords: String { lock.withLock { last } }

  func note(_ lane: String, _ text: String) {
    lock.withLock { noted.append(TimelineMark(time: start.duration(to: clock.now), lane: lane, text: text)) }
  }

  /// Notes a line of `demo order --json`.
  func note(line: String) {
    struct Line: Decodable { let channel: String, text: String }
    guard let event = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
      return lock.withLock { last = line }
    }
    note(event.channel, event.text)
  }
}
