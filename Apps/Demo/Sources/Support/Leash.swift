internal import Foundation

/// What ends a process together with the one that started it, in whichever way that one ends.
///
/// The parent holds one end of a pipe, into which nothing is ever written; the child has the other for its standard input. When the
/// parent is gone, killed for instance, the system closes its end, and the child hears of that.
enum Leash {
  /// The variable that tells a process that it is on one.
  static let variable = "DEMO_ENDS_WITH_ITS_INPUT"

  /// Ends this process when its standard input does, at once and without a word, if it is on a leash.
  static func heed() {
    guard getenv(variable) != nil else { return }
    // What this process starts is another matter.
    unsetenv(variable)
    Thread.detachNewThread {
      var byte: UInt8 = 0
      var count: Int
      repeat { count = read(0, &byte, 1) } while count > 0 || count < 0 && errno == EINTR
      _exit(ExitReason.terminated.rawValue)
    }
  }
}
