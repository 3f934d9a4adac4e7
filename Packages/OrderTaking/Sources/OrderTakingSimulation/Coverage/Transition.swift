package import OrderTaking

/// A change of an operation's phase, or an event with effects within a phase.
package struct Transition: Hashable, Sendable {
  package enum Phase: String, Hashable, Sendable, CaseIterable {
    case ready, putting
    case puttingAgain = "putting, may have arrived"
    case acknowledged, polling
    case pollingIfNotTaken = "polling, no_such_taking is final"
    case fetchingDetails = "fetching details"
    case ending, ended
  }

  package enum Event: String, Hashable, Sendable, CaseIterable {
    case begin, resume, persisted
    case notPersisted = "not persisted"
    case persistenceUnknown = "persistence unknown"
    case fenced
    case recordRead = "record read: stored"
    case recordMissing = "record read: not stored"
    case accepted, processing, declined, failed
    case details = "details arrived"
    case pushAccepted = "push: accepted"
    case pushDeclined = "push: declined"
    case pause = "pause ended"
    case timeout = "request timed out"
    case deadline
    case token = "token arrived"
    case noToken = "no token"
    case cancel
  }

  package let from: Phase
  package let event: Event
  package let to: Phase

  init(_ from: Phase, _ event: Event, _ to: Phase) {
    (self.from, self.event, self.to) = (from, event, to)
  }

  package init(_ from: TakingPhase, _ event: TakingEvent, _ to: TakingPhase) {
    self.from = Phase(from)
    self.event = Event(event)
    self.to = Phase(to)
  }
}

extension Transition: CustomStringConvertible {
  package var description: String { "\(from.rawValue) | \(event.rawValue) | \(to.rawValue)" }

  var place: [Int] {
    func index<Value: CaseIterable & Equatable>(_ value: Value) -> Int {
      Value.allCases.enumerated().first { $0.element == value }?.offset ?? 0
    }
    return [index(from), index(event), index(to)]
  }
}

extension Transition.Phase {
  init(_ phase: TakingPhase) {
    switch phase {
    case .ready: self = .ready
    case .putting(let mayHaveArrived): self = mayHaveArrived ? .puttingAgain : .putting
    case .acknowledged: self = .acknowledged
    case .polling(let outcome): self = outcome == nil ? .polling : .pollingIfNotTaken
    case .fetchingDetails: self = .fetchingDetails
    case .ending: self = .ending
    case .ended: self = .ended
    }
  }
}

extension Transition.Event {
  init(_ event: TakingEvent) {
    switch event {
    case .begin: self = .begin
    case .resume: self = .resume
    case .persisted: self = .persisted
    case .notPersisted(_, .failed): self = .notPersisted
    case .notPersisted(_, .unknown): self = .persistenceUnknown
    case .notPersisted(_, .fenced): self = .fenced
    case .recordRead(_, let isCurrent): self = isCurrent ? .recordRead : .recordMissing
    case .answered(_, .success(.accepted)): self = .accepted
    case .answered(_, .success(.processing)): self = .processing
    case .answered(_, .success(.declined)): self = .declined
    case .answered(_, .failure): self = .failed
    case .detailsArrived: self = .details
    case .pushed(.accepted, _, _): self = .pushAccepted
    case .pushed(.declined, _, _): self = .pushDeclined
    case .timerFired(.pause): self = .pause
    case .timerFired(.request): self = .timeout
    case .timerFired(.deadline): self = .deadline
    case .tokenRefreshed(_, let failure): self = failure == nil ? .token : .noToken
    case .cancel: self = .cancel
    }
  }
}
