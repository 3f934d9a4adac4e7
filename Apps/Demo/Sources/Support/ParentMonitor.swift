internal import Foundation

/// Ends a child process when its parent ends.
///
/// The parent holds the writing end of a pipe; the child has the reading end as its standard input. When the parent ends for any
/// reason, the system closes the writing end and the child reads the end of the file.
enum ParentMonitor {
  /// The environment variable that enables this in a child process.
  static let variable = "DEMO_ENDS_WITH_ITS_INPUT"

  /// Ends this process at the end of standard input, if ``variable`` is set.
  static func start() {
    guard getenv(variable) != nil else { return }
    // The children of this process do not inherit it.
    unsetenv(variable)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      var count: Int
      repeat { count = read(0, &byte, 1) } while count > 0 || count < 0 && errno == EINTR
      _exit(ExitReason.terminated.rawValue)
    }
  }
}
