import Foundation

/// Values that arrive from any thread, and someone who waits for the next one.
final class Signal<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send(_ value: Value) { continuation.yield(value) }

  /// The next value; for one waiter at a time.
  @discardableResult
  func next() async -> Value? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

extension Signal<Void> {
  func send() { send(()) }
}
