import Dispatch

extension DispatchSemaphore {
  func waitForIt() { wait() }
}
