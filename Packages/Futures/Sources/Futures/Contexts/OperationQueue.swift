public import Foundation

extension OperationQueue {
  /// Runs callbacks on this queue, each as an operation of its own.
  public var context: ExecutionContext {
    { work in self.addOperation(work) }
  }
}
