public import Foundation

extension OperationQueue {
  /// A context that runs each callback as an operation on this queue.
  public var context: ExecutionContext {
    { work in self.addOperation(work) }
  }
}
