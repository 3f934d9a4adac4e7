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
