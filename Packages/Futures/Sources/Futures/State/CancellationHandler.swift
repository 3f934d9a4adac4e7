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

  /// The flags that the handler sets in its owner.
  var ownerFlags: AsyncState.Flags { [] }

  /// The async whose result the owner will have, if it was completed with an async.
  var source: _AsyncCore? { nil }

  /// Records that the owner leaves its source, and returns the source to leave.
  ///
  /// Called under the owner's lock.
  func leaveSource() -> _AsyncCore? { nil }

  final override func abandon(_ origin: PromiseOrigin?) {
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

  override var ownerFlags: AsyncState.Flags { .stoppable }

  override func cancelWork() {
    stop()
  }
}

/// Leaves the async at which its owner has registered a listener.
///
/// The owner leaves its source while its own result is unwanted, as a derived async leaves its upstream.
///
/// `@unchecked Sendable`: the owner's lock guards `isCounted`, until the owner has settled.
final class SourceHandler: CancellationHandler, @unchecked Sendable {
  private let upstream: _AsyncCore
  private let leaves: Bool
  /// Whether the upstream counts the owner as a listener.
  private var isCounted: Bool

  /// Leaves the async whose result the owner will have.
  init(leaving upstream: _AsyncCore) {
    self.upstream = upstream
    leaves = true
    isCounted = true
  }

  /// Notifies an async that does not count the owner as a listener.
  init(dropping upstream: _AsyncCore) {
    self.upstream = upstream
    leaves = false
    isCounted = false
  }

  override var ownerFlags: AsyncState.Flags { leaves ? .following : [] }

  override var source: _AsyncCore? { leaves ? upstream : nil }

  override var hasEnded: Bool { upstream.isSettled }

  override func leaveSource() -> _AsyncCore? {
    defer { isCounted = false }
    return isCounted ? upstream : nil
  }

  /// Records that the owner joins its source again, and returns the source to join.
  ///
  /// Called under the owner's lock.
  func joinSource() -> _AsyncCore? {
    guard leaves, !isCounted else { return nil }
    isCounted = true
    return upstream
  }

  override func cancelWork() {
    ownerHasSettled()
  }

  override func ownerHasSettled() {
    if let upstream = leaveSource() { upstream.leave(stopsWork: true) } else { upstream.dropEndedListener() }
  }
}
