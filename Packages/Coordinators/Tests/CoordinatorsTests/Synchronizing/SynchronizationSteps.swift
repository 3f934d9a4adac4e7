@testable import Coordinators
@testable import CoordinatorsUIKit

@dynamicMemberLookup
struct SynchronizationStep<Screen: Hashable & Sendable> {
  /// `nil` for a state that was ignored.
  var outcome: SynchronizationOutcome?
  var batch: Batch<Screen>?

  var isStale: Bool { outcome == nil }

  subscript<Value>(dynamicMember member: KeyPath<SynchronizationOutcome, Value>) -> Value {
    (outcome ?? SynchronizationOutcome())[keyPath: member]
  }
}

extension Synchronization {
  var isInStep: Bool { batchInFlight == nil && shown?.root == navigation.root }

  mutating func start() -> Batch<Screen>? { want(navigation) }

  mutating func apply(_ intent: Intent<Screen>) throws -> Batch<Screen>? { want(try navigation.applying(intent)) }

  mutating func acknowledge(_ acknowledgement: Acknowledgement) -> SynchronizationStep<Screen> {
    step(accept(acknowledgement))
  }

  mutating func observe(_ state: ShellState) -> SynchronizationStep<Screen> { step(accept(state)) }

  private mutating func step(_ outcome: SynchronizationOutcome?) -> SynchronizationStep<Screen> {
    SynchronizationStep(outcome: outcome, batch: outcome == nil ? nil : want(navigation))
  }
}
