import BrightFuturesCompatibility
import Dispatch

enum Trouble: Error, Equatable { case first, second }

let now = immediateExecutionContext

final class MarkedQueue: Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  static let main = MarkedQueue(.main)
  let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }
}

struct OwnAsync<Value: Sendable>: AsyncType {
  private let async: Async<Value>

  init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
    async = Async(scope)
  }

  var result: Value? { async.result }

  @discardableResult
  func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self {
    async.onComplete(context, callback: callback)
    return self
  }
}
