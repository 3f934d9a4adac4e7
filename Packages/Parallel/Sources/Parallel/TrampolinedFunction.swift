public import Isolation

extension Parallel {
  /// Creates a parallel whose work starts another one.
  ///
  /// Each stage of a chain calls the next one, and retains its closure. Without links, the stack space would grow with the
  /// length of the chain. Every ``linkInterval`` stages, a link, which is a ``TrampolinedFunction``, passes the calls and the
  /// releases through the trampoline.
  @inlinable
  init<Upstream>(after upstream: Parallel<Upstream>, _ work: @escaping Start) {
    self.init(depth: upstream.depth + 1, linksEnd: upstream.mayRecur, work)
  }

  /// `mayRecur` is whether the work starts a parallel that a function makes, perhaps in a recursion.
  ///
  /// `linksEnd` is whether a recursion can start the work, so that its value must pass through a link.
  @inlinable
  init(depth: Int, mayRecur: Bool = false, linksEnd: Bool = false, _ work: @escaping Start) {
    let depth = depth % linkInterval
    depthAndRecursion = mayRecur ? depth + linkInterval : depth
    content = .work(depth == 0 ? linked(work) : linksEnd ? linkedAtEnd(work) : work)
  }

  @inlinable var depth: Int { depthAndRecursion % linkInterval }

  /// Whether the value can come from the end of a recursion.
  ///
  /// Then each step passes its value to the next stage of the step before, and retains that stage. So that stage passes
  /// the calls and the releases through a link.
  @inlinable var mayRecur: Bool { depthAndRecursion >= linkInterval }
}

/// The number of stages from one link of a chain to the next.
@usableFromInline let linkInterval = 16

@inlinable
func linked<Value>(_ work: @escaping Parallel<Value>.Start) -> Parallel<Value>.Start {
  let start = TrampolinedFunction<Value>(start: work)
  return { next in
    let end = TrampolinedFunction<Value>(next: next)
    start.begin { end.pass($0) }
  }
}

@inlinable
func linkedAtEnd<Value>(_ work: @escaping Parallel<Value>.Start) -> Parallel<Value>.Start {
  return { next in
    let end = TrampolinedFunction<Value>(next: next)
    work { end.pass($0) }
  }
}

/// An owner of a function that calls and releases it through the trampoline.
///
/// A closure that captures only this object uses it as its context, so it costs no further allocation.
///
/// `@unchecked Sendable`: only the deinitialiser changes the functions, which are `@Sendable`.
@usableFromInline
final class TrampolinedFunction<Value>: @unchecked Sendable {
  // Two fields instead of a generic type of function, which would be wrapped.
  @usableFromInline @exclusivity(unchecked) var start: Parallel<Value>.Start?
  @usableFromInline @exclusivity(unchecked) var next: Parallel<Value>.Callback?

  @inlinable
  init(start: @escaping Parallel<Value>.Start) {
    self.start = start
  }

  @inlinable
  init(next: @escaping Parallel<Value>.Callback) {
    self.next = next
  }

  @inlinable
  deinit {
    Trampoline.call {
      start = nil
      next = nil
    } orLater: {
      let last = (start, next)
      return { _ = last }
    }
  }

  @inlinable
  func begin(_ next: @escaping Parallel<Value>.Callback) {
    if let start { Parallel(starting: start).startOnTrampoline(next) }
  }

  @inlinable
  func pass(_ value: sending Value) {
    if let next { Parallel.pass(value, to: next) }
  }
}
