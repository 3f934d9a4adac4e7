internal import Foundation

/// The main queue calls them, or a synchronous assertion that blocks the main thread.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class MainThreadWork: @unchecked Sendable {
  package static let shared = MainThreadWork()

  private let lock = NSLock()
  private var pending: [@Sendable () -> Void] = []

  func add(_ body: @escaping @Sendable () -> Void) {
    lock.withLock { pending.append(body) }
    DispatchQueue.main.async { self.run() }
  }

  package var isPending: Bool { lock.withLock { !pending.isEmpty } }

  /// Call it on the main thread.
  package func run() {
    while let next = lock.withLock({ pending.isEmpty ? nil : pending.removeFirst() }) { next() }
  }
}
