/// What an async waits for: another one, several, or work outside of this library.
///
/// Part of the machine under ``Async``; there is nothing to call. It is public because a public class inherits it.
public class _Upstream {
  @inlinable
  init() {}

  /// Whether anything would change if an async that has its result stopped waiting for this.
  var isActive: Bool { false }

  /// Hears that the async which waited for it is being cancelled, and has no result yet.
  ///
  /// Work outside of this library ends here, and may say how it ended.
  func cancelWork() {}

  /// Whether it is over, so that it need not be remembered.
  var isOver: Bool { false }

  /// Hears the same as `leave`, before it and at once, to count one less of those who want it; it may do nothing else.
  func withdraw() {}

  /// Hears that an async does not wait for it any more, since that has a result from elsewhere or was cancelled.
  ///
  /// Called by `Nesting` alone, which keeps a long way upwards from using the stack.
  func leave(isCancelled: Bool) {}
}

/// How much a listener still wants what it listens for.
enum Interest {
  /// It wants it, so what it listens to must not be cancelled for another's sake.
  case wanted
  /// It was cancelled, and takes a result only since it can end in no other way.
  case resigned
  /// It has ended in another way.
  case ended
}

/// Work outside of this library that can be told to stop.
///
/// `@unchecked Sendable`: nothing is written after it was made.
final class CancellationHandler: _Upstream, @unchecked Sendable {
  private let handler: @Sendable () -> Void

  init(_ handler: @escaping @Sendable () -> Void) {
    self.handler = handler
  }

  override func cancelWork() {
    handler()
  }
}

/// Several things that one async waits for; those that are still under way when it has its result are left.
///
/// `@unchecked Sendable`: `upstreams` is changed only by who took this out of the word that held it, and before it is put
/// back.
final class ManyUpstreams: _Upstream, @unchecked Sendable {
  private var upstreams: [_Upstream]
  /// How many there may be before those that are over are looked for.
  private var limit = 8

  init(_ upstreams: [_Upstream]) {
    self.upstreams = upstreams
  }

  /// Both, and what was left out since it is over; the first must be the caller's alone.
  static func joining(_ first: _Upstream, _ second: _Upstream) -> (all: _Upstream, over: [_Upstream]) {
    guard let many = first as? ManyUpstreams else {
      return first.isOver ? (second, [first]) : (ManyUpstreams([first, second]), [])
    }
    var over: [_Upstream] = []
    if many.upstreams.count >= many.limit {
      var rest: [_Upstream] = []
      for upstream in many.upstreams {
        if upstream.isOver { over.append(upstream) } else { rest.append(upstream) }
      }
      many.upstreams = rest
      many.limit = max(8, 2 * many.upstreams.count)
    }
    many.upstreams.append(second)
    return (many, over)
  }

  override var isActive: Bool { upstreams.contains { $0.isActive } }

  override func cancelWork() {
    for upstream in upstreams { upstream.cancelWork() }
  }

  override func leave(isCancelled: Bool) {
    // Last in, first out.
    for upstream in upstreams.reversed() where upstream.isActive {
      Nesting.current.leave(upstream, isCancelled: isCancelled)
    }
  }
}

/// Asyncs that another one waits for one after the other: it is interested in all of them from the start, so that nobody
/// cancels one for others' sake, but listens to one at a time.
///
/// When it has its result, those that are under way go on; only when it is cancelled are they cancelled too.
///
/// `@unchecked Sendable`: nothing is written after it was made.
@usableFromInline
final class SuccessiveUpstreams: _Upstream, @unchecked Sendable {
  private let asyncs: [_AsyncState]

  @usableFromInline
  init(_ asyncs: [_AsyncState]) {
    self.asyncs = asyncs
    asyncs.withUnmanaged { for async in $0 { async._withUnsafeGuaranteedRef { $0.gainInterest() } } }
    super.init()
  }

  override var isActive: Bool { true }

  override func withdraw() {
    asyncs.withUnmanaged { for async in $0 { async._withUnsafeGuaranteedRef { $0.loseInterest() } } }
  }

  override func leave(isCancelled: Bool) {
    guard isCancelled else { return }
    // Last in, first out.
    for async in asyncs.reversed() { Nesting.current.leave(async, isCancelled: true) }
  }
}

/// An async that another one listens to without waiting for it: it is not cancelled with that, only its list is tidied.
///
/// `@unchecked Sendable`: nothing is written after it was made.
final class Signal: _Upstream, @unchecked Sendable {
  private let async: _AsyncState

  init(_ async: _AsyncState) {
    self.async = async
  }

  override var isActive: Bool { async.isActive }
  override var isOver: Bool { async.isOver }

  override func leave(isCancelled: Bool) {
    async.tidy()
  }
}
