import Foundation

/// Starts a thread with a small stack, and does not wait for it.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let thread = Thread { body() }
  thread.stackSize = 512 << 10
  thread.start()
}
