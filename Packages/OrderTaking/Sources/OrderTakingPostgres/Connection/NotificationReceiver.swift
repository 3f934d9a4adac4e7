internal import OrderTaking

/// The receiver of notifications.
///
/// It can be set after the pool was created.
///
/// You can use it from any thread.
package final class NotificationReceiver: Sendable {
  /// Swift wraps a function that is itself the value of a generic type again at each mutating access, such as
  /// `withLock`.
  ///
  /// Then each notification would make the next call deeper.
  private struct Function {
    let call: @Sendable (String?) -> Void
  }

  private let function = Locked<Function?>(nil)

  package init() {}

  package func set(_ call: @escaping @Sendable (String?) -> Void) {
    function.withLock { $0 = Function(call: call) }
  }

  package func receive(_ payload: String?) {
    function.withLock { $0 }?.call(payload)
  }
}
