/// A value that only the event loop's thread may touch, and a handle to it that any thread may hold.
///
/// `@unchecked Sendable`: `value` is reached only from closures that run on the loop's thread, which runs them one at a
/// time.
final class LoopBound<Value>: @unchecked Sendable {
  private let loop: EventLoop
  private var value: Value?

  /// Makes the handle; the value comes from the first closure on the loop.
  init(_ loop: EventLoop) { self.loop = loop }

  /// Gives the value its home.
  ///
  /// On the loop's thread only.
  func bind(_ value: Value?) { self.value = value }

  /// Runs a closure with the value on the loop's thread; dropped if the loop has ended.
  ///
  /// From any thread.
  func post(_ body: @escaping @Sendable (Value) -> Void) {
    loop.post { [self] in
      if let value { body(value) }
    }
  }
}
