@testable import Futures

/// Something to wait for that does something else at the moment when it is looked at, as another thread might.
final class Interruption: _Upstream {
  private let look: () -> Void
  private let left: () -> Void

  init(look: @escaping () -> Void = {}, left: @escaping () -> Void = {}) {
    self.look = look
    self.left = left
  }

  override var isActive: Bool { true }

  override var isOver: Bool {
    look()
    return false
  }

  override func leave(isCancelled: Bool) { left() }
}

/// Something to wait for that is over, and does something else at the moment when it is let go of.
final class LastWish: _Upstream {
  private let wish: () -> Void

  init(_ wish: @escaping () -> Void) {
    self.wish = wish
  }

  override var isOver: Bool { true }

  deinit { wish() }
}

/// A listener that has ended, and does something else at the moment when it is looked at, as another thread might.
final class LateListener: _Listener, @unchecked Sendable {
  private let look: () -> Void

  init(look: @escaping () -> Void) {
    self.look = look
    super.init(reaction: unexpectedReaction)
  }

  override var interest: Interest {
    look()
    return .ended
  }
}
