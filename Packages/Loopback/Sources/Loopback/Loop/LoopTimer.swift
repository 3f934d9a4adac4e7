import CLibevent

/// A timer of the event loop that fires once after each call of ``set(_:)``.
///
/// Use it on the loop's thread only.
final class LoopTimer {
  private var event: OpaquePointer?
  private let body: () -> Void

  init(_ loop: EventLoop, _ body: @escaping () -> Void) {
    self.body = body
    event = event_new(
      loop.base, -1, 0,
      { _, _, context in
        guard let context else { return }
        Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().body()
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { free() }

  /// Fires after a time, which replaces an earlier one.
  ///
  /// `nil` stops the timer.
  func set(_ duration: Duration?) {
    guard let event else { return }
    guard let duration else {
      event_del(event)
      return
    }
    var time = timeval(duration)
    event_add(event, &time)
  }

  /// Call it before the loop ends.
  func free() {
    if let event { event_free(event) }
    event = nil
  }
}

extension timeval {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = (min(max(.zero, duration), .seconds(1_000_000_000)) + .nanoseconds(999)).components
    self.init(tv_sec: .init(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
  }
}
