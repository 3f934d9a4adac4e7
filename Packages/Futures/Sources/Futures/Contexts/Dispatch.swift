public import Dispatch

extension DispatchSemaphore {
  /// Runs callbacks at once, one at a time: each waits for the semaphore, runs, and signals it.
  ///
  /// The thread that brings a callback blocks while another one runs. Never use it on a thread of Swift concurrency.
  public var context: ExecutionContext {
    { work in
      self.wait()
      work()
      self.signal()
    }
  }
}

extension DispatchQueue {
  /// Runs a function on this queue, and returns a future of its value.
  @preconcurrency
  public func asyncValue<T>(_ function: @escaping @Sendable () -> T) -> Future<T, Never> {
    Future { complete in self.async { complete(.success(function())) } }
  }

  /// Runs a function on this queue, and returns a future of its result.
  @preconcurrency
  public func asyncResult<T, E>(_ function: @escaping @Sendable () -> Result<T, E>) -> Future<T, E> {
    Future { complete in self.async { complete(function()) } }
  }

  /// Runs a function on this queue at a time, and returns a future of its value.
  @preconcurrency
  public func asyncValueAfter<T>(
    _ deadline: DispatchTime, execute function: @escaping @Sendable () -> T
  ) -> Future<T, Never> {
    Future { complete in self.asyncAfter(deadline: deadline) { complete(.success(function())) } }
  }
}
