extension Parallel {
  /// Creates a parallel whose work starts another one.
  ///
  /// Each stage of a chain calls the next one, and retains its closure. Without links, the stack space would grow with the
  /// length of the chain. Every ``linkInterval`` stages, a link passes the calls and the releases through the trampoline.
  @inlinable
  init<Upstream>(after upstream: Parallel<Upstream>, _ work: @escaping Start) {
    self.init(depth: upstream.depth + 1, work)
  }

  /// Creates a parallel at a depth, with a link if one is due.
  ///
  /// - Parameters:
  ///   - depth: The number of stages since the last link.
  ///   - work: A function that starts a run.
  @inlinable
  init(depth: Int, _ work: @escaping Start) {
    let depth = depth % linkInterval
    self.depth = depth
    content = .work(depth == 0 ? linked(work) : work)
  }
}

/// The number of stages from one link of a chain to the next.
@usableFromInline let linkInterval = 16

/// Returns a function that starts a run through the trampoline.
@inlinable
func linked<Value>(_ work: @escaping Parallel<Value>.Start) -> Parallel<Value>.Start {
  let start = Link<Value>(start: work)
  return { next in
    let end = Link<Value>(next: next)
    start.begin { end.pass($0) }
  }
}

/// An owner of a function that calls and releases it through the trampoline.
///
/// A closure that captures only this object uses it as its context, so it costs no further allocation.
///
/// `@unchecked Sendable`: only the deinitialiser changes the functions, which are `@Sendable`.
@usableFromInline
final class Link<Value>: @unchecked Sendable {
  // Two fields instead of a generic type of function, which would be wrapped.
  @usableFromInline @exclusivity(unchecked) var start: Parallel<Value>.Start?
  @usableFromInline @exclusivity(unchecked) var next: Parallel<Value>.Receive?

  @inlinable
  init(start: @escaping Parallel<Value>.Start) {
    self.start = start
  }

  @inlinable
  init(next: @escaping Parallel<Value>.Receive) {
    self.next = next
  }

  @inlinable
  deinit {
    let trampoline = Trampoline.current
    guard trampoline.hasRoom else {
      let last = (start, next)
      return trampoline.add { _ = last }
    }
    trampoline.enter()
    start = nil
    next = nil
    trampoline.leave()
  }

  @inlinable
  func begin(_ next: @escaping Parallel<Value>.Receive) {
    guard let start else { return }
    let trampoline = Trampoline.current
    guard trampoline.hasRoom else { return trampoline.add { start(next) } }
    trampoline.enter()
    start(next)
    trampoline.leave()
  }

  @inlinable
  func pass(_ value: Value) {
    if let next { Trampoline.pass(value, to: next) }
  }
}
