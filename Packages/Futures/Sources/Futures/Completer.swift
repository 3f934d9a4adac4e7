/// If it is released before that, the async releases its callbacks.
@usableFromInline
final class Completer<Value: Sendable>: Sendable {
  let async: Async<Value>

  @usableFromInline
  init(_ async: Async<Value>) {
    self.async = async
  }

  deinit {
    async.abandonNow()
  }

  func complete(_ value: Value) {
    async.tryComplete(value)
  }

  func complete<Other: AsyncType>(with other: Other) where Other.Value == Value {
    if let other = other as? Async<Value> {
      other.relay(to: async) { self.complete($0) }
      async.stopAtCycle(through: other)
    } else {
      other.onComplete(immediateExecutionContext) { self.complete($0) }
    }
  }
}
