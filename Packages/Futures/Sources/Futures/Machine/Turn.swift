internal import Synchronization

/// A listener's turn in a context of its own: hands delivery to the context, and takes it back afterwards.
///
/// A context may run the turn before it returns, later, on another thread, or never: a token that has become invalid
/// drops it. Whichever of *the context has returned* and *the turn has ended* comes last goes on with the other
/// listeners, so they are neither lost nor told at the same time, and contexts that run at once use no stack.
///
/// `@unchecked Sendable`: `progress` decides who touches `rest`; `ready` is used by the thread of `handOver` alone.
final class Turn: @unchecked Sendable {
  private enum Progress {
    /// The context has the turn, and has not returned.
    static let offered = 0
    /// The context has returned, and the turn has not ended.
    static let returned = 1
    /// The turn has ended, and the context has not returned.
    static let ended = 2
  }

  private let listener: _Listener
  private let source: _AsyncState
  private var rest: Unmanaged<_Listener>?
  private var ready = ReadyQueue()
  private let isTaken = Atomic(false)
  private let progress = Atomic(Progress.offered)

  private init(_ listener: _Listener, of source: _AsyncState, rest: Unmanaged<_Listener>?) {
    self.listener = listener
    self.source = source
    self.rest = rest
  }

  /// Gives a listener to its context, and says whether the caller goes on with the rest.
  static func handOver(
    _ listener: _Listener, of source: _AsyncState, rest: Unmanaged<_Listener>?, to context: ExecutionContext,
    _ ready: inout ReadyQueue
  ) -> Bool {
    let turn = Turn(listener, of: source, rest: rest)
    let nesting = Nesting.current
    let outer = nesting.offered
    nesting.offered = ObjectIdentifier(turn)
    context { turn.take() }
    nesting.offered = outer
    ready.append(contentsOf: &turn.ready)
    return turn.arrive(at: Progress.returned)
  }

  /// Runs the listener, once; a context that calls twice is ignored the second time.
  private func take() {
    guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let nesting = Nesting.current
    if nesting.offered == ObjectIdentifier(self) {
      // The context runs it at once, inside `handOver`, which takes over what became ready.
      _ = listener.reaction(listener, source, &ready, true)
      _ = arrive(at: Progress.ended)
    } else {
      nesting.react(listener, to: source)
      if arrive(at: Progress.ended) { nesting.deliver(source, first: rest) }
    }
  }

  /// Whether the other side has arrived before, which leaves the rest to the caller.
  private func arrive(at point: Int) -> Bool {
    progress.bitwiseOr(point, ordering: .acquiringAndReleasing).oldValue != 0
  }

  deinit {
    // A context that drops the turn drops what the listener would have made.
    if !isTaken.load(ordering: .acquiring) { listener.giveUp() }
    // It dropped the turn later than it returned.
    if progress.load(ordering: .acquiring) == Progress.returned { Nesting.current.deliver(source, first: rest) }
  }
}
