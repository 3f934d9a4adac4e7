@usableFromInline
enum Upstream {
  case one(_AsyncCore)
  /// The work of pending asyncs continues after the derived async has its result.
  case all([_AsyncCore])
  /// The work of pending asyncs is stopped after the derived async has its result, unless it has another listener.
  case race([_AsyncCore])
  /// An async whose result was ignored because it was unwanted, with the context of the reaction.
  case inContext(ContextUpstream)

  private func forEach(_ body: (_AsyncCore) -> Void) {
    switch self {
    case .one(let core): if !core.isSettled { body(core) }
    case .inContext(let upstream): body(upstream.core)
    case .all(let cores), .race(let cores):
      cores.withUnmanaged { cores in
        for core in cores { core._withUnsafeGuaranteedRef { if !$0.isSettled { body($0) } } }
      }
    }
  }

  func leave() {
    forEach { $0.leave(stopsWork: true) }
  }

  /// Leaves the asyncs that are still pending when the derived async has its result.
  func leaveAfterCompletion() {
    if case .all = self { return forEach { $0.leave(stopsWork: false) } }
    leave()
  }

  @usableFromInline
  func join() {
    forEach { $0.countListener() }
  }

  func register(_ listener: _AsyncCore) {
    switch self {
    case .one(let core): core.register(listener, isCounted: false)
    case .inContext(let upstream):
      upstream.core.register(ContextHop(listener, in: upstream.context), isCounted: false)
    // The reaction registers at one of them.
    case .all(let cores), .race(let cores): if let core = cores.first { _ = listener.reaction(listener, core, true) }
    }
  }

  /// Retains each async, so that the caller can release it after this value.
  func retain(into references: inout [Unmanaged<AnyObject>]) {
    switch self {
    case .one(let core): references.append(.passRetained(core))
    case .inContext(let upstream): references.append(.passRetained(upstream))
    case .all(let cores), .race(let cores): for core in cores { references.append(.passRetained(core)) }
    }
  }
}

@usableFromInline
final class ContextUpstream: Sendable {
  let core: _AsyncCore
  let context: ExecutionContext

  init(_ core: _AsyncCore, _ context: @escaping ExecutionContext) {
    self.core = core
    self.context = context
  }
}
