public import Dispatch

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
