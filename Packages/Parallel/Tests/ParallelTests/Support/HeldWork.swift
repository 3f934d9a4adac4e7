import Foundation
import Parallel

/// Work that calls back on request: it keeps the callback of every run.
final class HeldWork<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `callbacks` is read and written only while `lock` is held.
  private let lock = NSLock()
  private var callbacks: [Parallel<Value>.Callback] = []

  var runCount: Int { lock.withLock { callbacks.count } }

  var parallel: Parallel<Value> { parallel() }

  func parallel(
    reportingTo misuse: @escaping @Sendable (Misuse) -> Void = Misuse.print, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Parallel<Value> {
    Parallel(reportingTo: misuse, file: file, line: line) { callback in self.keep(callback) }
  }

  func answer(_ value: Value, run: Int = 0) {
    let callback = lock.withLock { callbacks[run] }
    callback(value)
  }

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
