public import Dispatch
public import Foundation

/// A context that runs work at once, and at a depth of 21 on a global queue, so that a recursion does not exhaust the stack.
public let maxStackDepthExecutionContext: ExecutionContext = { work in
  let depth = Depth.current
  if depth > Depth.maximum {
    DispatchQueue.global().async(execute: work)
  } else {
    Depth.$current.withValue(depth + 1, operation: work)
  }
}

private enum Depth {
  static let maximum = 20
  @TaskLocal static var current = 0
}

extension OperationQueue {
  public var context: ExecutionContext {
    { work in self.addOperation(work) }
  }
}

extension DispatchSemaphore {
  /// A context that runs one callback at a time on the completing thread: each waits for the semaphore, runs, and
  /// signals it.
  ///
  /// The thread blocks while another callback runs. Never use this context on a thread of Swift concurrency.
  public var context: ExecutionContext {
    { work in
      self.wait()
      work()
      self.signal()
    }
  }
}

extension DispatchQueue {
  @preconcurrency
  public func asyncValue<T>(_ execute: @escaping @Sendable () -> T) -> Future<T, Never> {
    Future { complete in self.async { complete(.success(execute())) } }
  }

  @preconcurrency
  public func asyncResult<T, E>(_ execute: @escaping @Sendable () -> Result<T, E>) -> Future<T, E> {
    Future { complete in self.async { complete(execute()) } }
  }

  @preconcurrency
  public func asyncValueAfter<T>(
    _ deadline: DispatchTime, execute: @escaping @Sendable () -> T
  ) -> Future<T, Never> {
    Future { complete in self.asyncAfter(deadline: deadline) { complete(.success(execute())) } }
  }
}
