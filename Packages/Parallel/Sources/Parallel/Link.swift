extension Parallel {
  /// Creates a parallel whose work starts another one.
  ///
  /// Each stage of a chain calls the next one, and retains its closure. Without links, the stack space would grow with the
  /// length of the chain. Every ``linkInterval`` stages, a link passes the calls and the releases through the trampoline.
  @inlinable
  init<Upstream>(after upstream: Parallel<Upstream>, _ work: @escaping Start) {
    self.init(depth: upstream.depth + 1, work)
  }

  @inlinable
  init(depth: Int, _ work: @escaping Start) {
    self.depth = depth % linkInterval
    content = .work(self.depth == 0 ? linked(work) : work)
  }
}

/// The number of stages from one link of a chain to the next.
@usableFromInline let linkInterval = 16

/// Returns a function that starts a run through the trampoline.
@usableFromInline
func linked<Value>(_ work: @escaping Parallel<Value>.Start) -> Parallel<Value>.Start {
  let start = Link(work)
  return { next in
    let end = Link(next)
    Trampoline.current.call {
      start.function? { value in
        let parcel = Parcel(value)
        Trampoline.current.call { end.function?(parcel.take()) }
      }
    }
  }
}

/// An owner of a function that releases it through the trampoline.
///
/// `@unchecked Sendable`: only the deinitialiser changes `function`, which is a `@Sendable` function.
private final class Link<Function>: @unchecked Sendable {
  private(set) var function: Function?

  init(_ function: Function) {
    self.function = function
  }

  deinit {
    var last = function
    function = nil
    Trampoline.current.call { _ = last.take() }
  }
}
