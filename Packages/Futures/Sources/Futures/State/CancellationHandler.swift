internal import Synchronization

/// A handler of an async's cancellation, or of its completion; an entry in that async's own list.
///
/// `@unchecked Sendable`: see the subclasses.
class CancellationHandler: _Listener, @unchecked Sendable {
  init() {
    super.init { listener, _, _ in
      unsafeDowncast(listener, to: CancellationHandler.self).ownerHasSettled()
      return true
    }
  }

  /// Whether it stops work, so that its owner is cancelled when the last listener leaves.
  var stopsWork: Bool { true }

  /// The async whose result the owner will have, if it was completed with an async.
  var source: _AsyncCore? { nil }

  final override func abandon() {
    ownerHasSettled()
  }

  func cancelWork() {}

  func ownerHasSettled() {}
}

/// A function that stops the work of a promise or a task.
///
/// `@unchecked Sendable`: its own fields are constants; see `_Listener`.
final class WorkHandler: CancellationHandler, @unchecked Sendable {
  private let stop: @Sendable () -> Void

  init(_ stop: @escaping @Sendable () -> Void) {
    self.stop = stop
  }

  override func cancelWork() {
    stop()
  }
}

/// Leaves the async at which its owner has registered a listener.
///
/// `@unchecked Sendable`: its own fields are constants and an atomic; see `_Listener`.
final class SourceHandler: CancellationHandler, @unchecked Sendable {
  private let upstream: _AsyncCore
  private let isCounted: Bool
  private let isDone = Atomic(false)

  /// Leaves the async whose result the owner will have.
  init(leaving upstream: _AsyncCore) {
    self.upstream = upstream
    isCounted = true
  }

  /// Notifies an async that does not count the owner as a listener.
  init(dropping upstream: _AsyncCore) {
    self.upstream = upstream
    isCounted = false
  }

  override var stopsWork: Bool { isCounted }

  override var source: _AsyncCore? { isCounted ? upstream : nil }

  override var hasEnded: Bool { upstream.isSettled }

  override func cancelWork() {
    ownerHasSettled()
  }

  override func ownerHasSettled() {
    guard !isDone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if isCounted { upstream.leave(stopsWork: true) } else { upstream.dropEndedListener() }
  }
}
