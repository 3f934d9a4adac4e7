internal import Foundation

/// The progress of a capture, for the message of a timeout.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class CaptureProgress: @unchecked Sendable {
  private let lock = NSLock()
  private var met: [String] = []
  private var current = "a browser tab"
  private var advice = ""
  private var currentInterruption: String?
  private var navigationCount = 0

  /// The current condition.
  var awaited: String { lock.withLock { current } }

  /// The event that must happen before the current condition, because the page navigates.
  var interruption: String? {
    get { lock.withLock { currentInterruption } }
    set { lock.withLock { currentInterruption = newValue } }
  }

  /// The number of navigations to another document.
  var navigations: Int { lock.withLock { navigationCount } }

  /// Notes that the current condition holds, and the next condition.
  ///
  /// - Parameter advice: The next step if the condition never holds.
  func wait(for next: String, advice: String = "Allow the page more time, or find out why it is not ready.") {
    lock.withLock {
      met.append(current)
      current = next
      self.advice = advice
    }
  }

  /// Notes that the page has navigated.
  ///
  /// All conditions start again.
  func noteNavigation() {
    lock.withLock {
      navigationCount += 1
      met = []
    }
  }

  /// The description of a timeout error.
  func timeoutMessage(after limit: Duration) -> String {
    lock.withLock {
      "Cannot capture the page: timed out after \(limit) while waiting for \(currentInterruption ?? current)."
        + (met.isEmpty ? "" : " Completed: \(met.joined(separator: "; ")).")
        + (navigationCount > 0
          ? " The page keeps navigating: it went to another document \(navigationCount) time\(navigationCount == 1 ? "" : "s")."
          : "")
        + " \(advice)"
    }
  }
}
