package import OrderTaking

/// `@unchecked Sendable`: only the thread that runs the worlds or the model checker uses it.
package final class TransitionCounter: @unchecked Sendable {
  package private(set) var counts: [Transition: Int] = [:]

  package init() {}

  package func count(_ before: TakingPhase, _ event: TakingEvent, _ after: TakingPhase) {
    counts[Transition(before, event, after), default: 0] += 1
  }

  package func add(_ other: TransitionCounter) { counts.merge(other.counts, uniquingKeysWith: +) }
}
