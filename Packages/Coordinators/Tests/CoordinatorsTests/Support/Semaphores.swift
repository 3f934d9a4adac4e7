import Dispatch

extension DispatchSemaphore {
  /// Waits for another thread, on the thread of a test that must not do anything else meanwhile.
  func waitForIt() { wait() }
}
