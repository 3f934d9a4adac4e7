import Foundation

/// What happened, in order, noted from any thread.
///
/// `@unchecked Sendable`: `lock` guards `noted`.
final class Log<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [Value] = []

  func append(_ value: Value) { lock.withLock { noted.append(value) } }

  var values: [Value] { lock.withLock { noted } }
}
