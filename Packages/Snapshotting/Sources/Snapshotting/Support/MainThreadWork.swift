internal import Foundation

/// Work for the main thread.
///
/// The main queue does it, or a synchronous assertion that blocks the main thread.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class MainThreadWork: @unchecked Sendable {
  package static let shared = MainThreadWork()

  private let lock = NSLock()
  private var pending: [@Sendable () -> Void] = []

  /// Adds work, which is done once.
  func add(_ body: @escaping @Sendable () -> Void) {
    lock.withLock { pending.append(body) }
    DispatchQueue.main.async { self.run() }
  }

  /// Whether work is pending.
  package var isPending: Bool { lock.withLock { !pending.isEmpty } }

  /// Does the pending work.
  ///
  /// Only for the main thread.
  package func run() {
    while let next = lock.withLock({ pending.isEmpty ? nil : pending.removeFirst() }) { next() }
  }
}
