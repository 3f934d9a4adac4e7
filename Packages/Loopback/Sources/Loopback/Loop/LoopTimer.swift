import CLibevent

/// A timer of the event loop that fires once each time it is set.
///
/// On the loop's thread only.
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

  /// Fires after a time; a time set before is forgotten.
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

  /// Gives the timer back to the loop, which must not have ended.
  func free() {
    if let event { event_free(event) }
    event = nil
  }
}

extension timeval {
  /// A duration for the event loop: not negative, at most about thirty years, and never rounded down.
  init(_ duration: Duration) {
    let longest: Int64 = 1_000_000_000
    let (seconds, attoseconds) = max(.zero, duration).components
    self.init()
    tv_sec = .init(min(seconds, longest))
    tv_usec = seconds < longest ? .init((attoseconds + 999_999_999_999) / 1_000_000_000_000) : 0
    if tv_usec == 1_000_000 {
      tv_sec += 1
      tv_usec = 0
    }
  }
}
