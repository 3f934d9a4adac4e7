import Testing

@testable import Futures

@Suite("The state of an async, in every sequence of up to seven events")
struct AsyncStateTests {
  enum Event: CaseIterable, Sendable {
    case listen, expect, leave, leaveQuietly, leaveAndWait, complete, abandon, cancel, addHandler, addUpstreamHandler
    case makeStoppable, read, resultArrives, follow, bypass, bypassAndLeave
  }

  struct Model: Hashable {
    var state = AsyncState(flags: [])
    /// The number of registered listeners that have not left.
    var listeners = 0
    /// Whether the list still has a listener that has left.
    var hasWaiter = false
    /// Whether the upstream counts this async as a listener.
    var isCountedUpstream = true
    var handlers = 0
    var completions = 0
  }

  private func apply(_ event: Event, to model: Model) -> Model? {
    var next = model
    switch event {
    case .listen, .expect:
      guard next.state.registration == .wait else { return event == .listen ? next : nil }
      next.listeners += 1
      join(&next, next.state.countListener())
    case .leave, .leaveQuietly, .leaveAndWait:
      guard next.listeners > 0, !next.state.isSettled else { return nil }
      next.listeners -= 1
      if event == .leaveAndWait { next.hasWaiter = true }
      switch next.state.leave(stopsWork: event != .leaveQuietly) {
      case .nothing: break
      case .cancel:
        #expect(next.handlers > 0, "cancelled an async without work")
        #expect(next.listeners == 0, "cancelled an async that has listeners")
        return cancelled(next)
      case .leaveUpstream:
        #expect(next.isCountedUpstream, "left the upstream twice")
        #expect(next.listeners == 0, "left the upstream although it has listeners")
        next.isCountedUpstream = false
      }
    case .complete: if next.state.complete() { next.completions += 1 }
    case .abandon: if next.state.abandon() { next.completions += 1 }
    case .cancel: return cancelled(next)
    case .addHandler:
      switch next.state.addHandler(setting: .stoppable) {
      case .keep, .keepAndLeave: next.handlers += 1
      case .cancelWork: #expect(model.state.flags.contains(.cancelled))
      case .notify: #expect(model.state.isSettled)
      }
    case .addUpstreamHandler:
      switch next.state.addHandler(setting: .following) {
      case .keep: #expect(next.isCountedUpstream)
      case .keepAndLeave: #expect(!next.isCountedUpstream)
      case .cancelWork: #expect(model.state.isSettled, "a pending async does not find its upstream in its handlers")
      case .notify: #expect(model.state.isSettled)
      }
    case .makeStoppable:
      next.state.makeStoppable()
      next.handlers += 1
    case .follow:
      guard !next.state.isSettled else { return nil }
      next.state.follow()
    case .bypass, .bypassAndLeave:
      guard !next.state.isSettled, !next.state.flags.contains(.leftUpstream), next.listeners == 1, !next.hasWaiter
      else {
        return nil
      }
      next.state.bypass()
      next.listeners = 0
      next.isCountedUpstream = false
      if event == .bypassAndLeave {
        next.state.recount()
        #expect(next.state.leave(stopsWork: true) == .nothing, "left an upstream that does not count it")
      }
    case .read:
      join(&next, next.state.rejoin())
    case .resultArrives:
      guard !next.state.flags.contains(.unregistered) else { return nil }
      let hasListeners = next.listeners > 0 || next.hasWaiter
      let isCancelled = next.state.flags.contains(.cancelled)
      let isWanted = isCancelled ? hasListeners : next.listeners > 0 || next.isCountedUpstream
      if next.state.unregisterWhileUnwanted(hasListeners: hasListeners) {
        #expect(!isWanted, "ignored a result that a listener wants")
        // It registers again, which makes this async register again.
        if next.hasWaiter { join(&next, next.state.arrive(isCounted: false)) }
        #expect(!next.hasWaiter || !next.state.flags.contains(.unregistered), "a listener waits for ever")
      }
    }
    return next
  }

  private func join(_ model: inout Model, _ arrival: AsyncState.Arrival) {
    switch arrival {
    case .nothing: break
    case .rejoin, .rejoinAndRegister:
      #expect(!model.isCountedUpstream, "joined an upstream that already counts it")
      model.isCountedUpstream = true
    }
  }

  private func cancelled(_ model: Model) -> Model {
    var next = model
    if let leavesUpstream = next.state.cancel() {
      #expect(leavesUpstream == model.isCountedUpstream, "must leave the upstream exactly if that counts it")
      next.isCountedUpstream = false
    }
    return next
  }

  @Test("in every sequence of up to seven events, an async settles once, and leaves and joins its upstream in turns")
  func exploration() {
    var frontier: Set<Model> = [Model()]
    var seen = frontier
    for _ in 0..<7 {
      var following: Set<Model> = []
      for model in frontier {
        for event in Event.allCases {
          guard let next = apply(event, to: model) else { continue }
          #expect(next.completions <= 1)
          #expect(next.state.isSettled == (next.completions == 1))
          #expect(next.state.isSettled || next.state.listenerCount == next.listeners)
          if model.state.isSettled { #expect(next.state.flags.isSuperset(of: model.state.flags)) }
          if seen.insert(next).inserted { following.insert(next) }
        }
      }
      frontier = following
    }
    #expect(seen.count > 200)
  }
}
