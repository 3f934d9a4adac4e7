import Foundation
import Parallel

/// Work that calls back on request: it keeps the callback of every run.
final class HeldWork<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `callbacks` is read and written only while `lock` is held.
  private let lock = NSLock()
  private var callbacks: [Parallel<Value>.Callback] = []

  /// The number of runs that were started.
  var runCount: Int { lock.withLock { callbacks.count } }

  /// The work as a parallel.
  var parallel: Parallel<Value> { parallel() }

  func parallel(
    reportingTo misuse: Misuse.Reporter = .standardError, file: StaticString = #fileID, line: UInt = #line
  ) -> Parallel<Value> {
    Parallel(reportingTo: misuse, file: file, line: line) { callback in self.keep(callback) }
  }

  /// Calls back the run with the given index.
  func answer(_ value: Value, run: Int = 0) {
    let callback = lock.withLock { callbacks[run] }
    callback(value)
  }

  /// Releases all callbacks.
  func drop() {
    let dropped = lock.withLock {
      defer { callbacks = [] }
      return callbacks
    }
    _ = dropped
  }

  private func keep(_ callback: @escaping Parallel<Value>.Callback) {
    lock.withLock { callbacks.append(callback) }
  }
}
