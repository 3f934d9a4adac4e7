internal import Foundation

/// `@unchecked Sendable`: `lock` guards everything that changes.
final class CaptureProgress: @unchecked Sendable {
  private static let defaultAdvice = "Allow the page more time, or find out why it is not ready."

  private let lock = NSLock()
  private var met: [String] = []
  private var current = "a browser tab"
  private var advice = CaptureProgress.defaultAdvice
  private var currentInterruption: String?
  private var navigationCount = 0

  var awaited: String { lock.withLock { current } }

  /// The event that must happen before the current condition, because the page navigates.
  var interruption: String? {
    get { lock.withLock { currentInterruption } }
    set { lock.withLock { currentInterruption = newValue } }
  }

  var navigations: Int { lock.withLock { navigationCount } }

  func wait(for next: String, advice: String = CaptureProgress.defaultAdvice) {
    lock.withLock {
      if current != next { met.append(current) }
      current = next
      self.advice = advice
    }
  }

  /// Notes that the conditions start again, because the document was replaced.
  func restart(after navigations: Int) {
    lock.withLock {
      navigationCount += navigations
      (met, current, advice) = ([], "the load event", Self.defaultAdvice)
    }
  }

  func timeoutMessage(after limit: Duration) -> String {
    lock.withLock {
      "Cannot capture the page: timed out after \(limit) while waiting for \(currentInterruption ?? current)."
        + (met.isEmpty ? "" : " Completed: \(met.joined(separator: "; ")).")
        + "\(navigationMessage) \(advice)"
    }
  }

  private var navigationMessage: String {
    switch navigationCount {
    case ...0: ""
    case 1: " The page went to another document once."
    case 2: " The page went to another document twice."
    default: " The page keeps navigating: it went to another document \(navigationCount) times."
    }
  }
}
