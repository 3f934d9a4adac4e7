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

  var ownerFlags: AsyncState.Flags { [] }

  /// The async that gives the owner its result, if the owner was completed with an async.
  var followedUpstream: _AsyncCore? { nil }

  /// Called under the owner's lock.
  func leaveUpstream() -> _AsyncCore? { nil }

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

/// Leaves the async that gives the owner its result.
///
/// The owner also leaves this upstream while its own result is unwanted, as a derived async does.
///
/// `@unchecked Sendable`: the owner's lock guards `isCounted`, until the owner has settled.
final class UpstreamHandler: CancellationHandler, @unchecked Sendable {
  private let upstream: _AsyncCore
  private var isCounted = true

  init(leaving upstream: _AsyncCore) {
    self.upstream = upstream
  }

  override var ownerFlags: AsyncState.Flags { .following }

  override var followedUpstream: _AsyncCore? { upstream }

  override var hasEnded: Bool { upstream.isSettled }

  override func leaveUpstream() -> _AsyncCore? {
    defer { isCounted = false }
    return isCounted ? upstream : nil
  }

  /// Called under the owner's lock.
  func joinUpstream() -> _AsyncCore? {
    guard !isCounted else { return nil }
    isCounted = true
    return upstream
  }

  override func cancelWork() {
    ownerHasSettled()
  }

  override func ownerHasSettled() {
    if let upstream = leaveUpstream() { upstream.leave(stopsWork: true) } else { upstream.dropEndedListener() }
  }
}

/// Removes the uncounted relay of its owner from the list of another async.
///
/// `@unchecked Sendable`: its own fields are constants; see `_Listener`.
final class RelayRemover: CancellationHandler, @unchecked Sendable {
  private let other: _AsyncCore

  init(from other: _AsyncCore) {
    self.other = other
  }

  override var hasEnded: Bool { other.isSettled }

  override func cancelWork() {
    ownerHasSettled()
  }

  override func ownerHasSettled() {
    other.dropEndedListener()
  }
}
