import Dispatch

extension DispatchSemaphore {
  /// Blocks the test's thread until another thread signals.
  func waitForIt() { wait() }
}
