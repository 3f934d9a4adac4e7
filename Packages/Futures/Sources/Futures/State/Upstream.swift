/// What a derived async waits for.
enum Upstream {
  case one(_AsyncCore)
  case group(UpstreamGroup)
  /// An async whose result was ignored, for want of a listener, with the context for the reaction to it.
  case inContext(ContextUpstream)

  var object: AnyObject {
    switch self {
    case .one(let core): core
    case .group(let group): group
    case .inContext(let upstream): upstream
    }
  }

  private func forEach(_ body: (_AsyncCore) -> Void) {
    switch self {
    case .one(let core): body(core)
    case .inContext(let upstream): body(upstream.core)
    case .group(let group): group.forEach(body)
    }
  }

  /// Counts one listener less at each async, and stops work that has no other listener.
  func leave() {
    forEach { $0.leave(stopsWork: true) }
  }

  /// Leaves the asyncs that are still pending when the derived async has its result.
  func leaveAfterCompletion() {
    if case .group(let group) = self, !group.stopsLosers { return forEach { $0.leave(stopsWork: false) } }
    leave()
  }

  /// Counts one listener more at each async.
  func rejoin() {
    forEach { $0.gainInterest() }
  }

  /// Registers an async that has no longer been registered.
  func register(_ listener: _AsyncCore) {
    switch self {
    case .one(let core): core.register(listener, isCounted: false)
    case .inContext(let upstream):
      upstream.core.register(ContextHop(listener, in: upstream.context), isCounted: false)
    case .group(let group): if let core = group.members.first { _ = listener.reaction(listener, core, true) }
    }
  }
}

/// Several asyncs that a derived async waits for.
@usableFromInline
final class UpstreamGroup: Sendable {
  let members: [_AsyncCore]
  /// Whether the asyncs that are still pending are cancelled when the derived async has its result, as in a race.
  let stopsLosers: Bool

  @usableFromInline
  init(_ members: [_AsyncCore], stopsLosers: Bool) {
    self.members = members
    self.stopsLosers = stopsLosers
  }

  /// Counts one listener more at each async.
  @usableFromInline
  func join() {
    forEach { $0.gainInterest() }
  }

  func forEach(_ body: (_AsyncCore) -> Void) {
    members.withUnmanaged { members in
      for core in members { core._withUnsafeGuaranteedRef { if !$0.isSettled { body($0) } } }
    }
  }
}

/// An async, and the context of the reaction to it.
final class ContextUpstream: Sendable {
  let core: _AsyncCore
  let context: ExecutionContext

  init(_ core: _AsyncCore, _ context: @escaping ExecutionContext) {
    self.core = core
    self.context = context
  }
}
