internal import Foundation

/// A page process takes longer to start than an image takes, so a tab is used for several captures.
///
/// It is reused only after a page that cannot leave anything behind (see ``WebPage/isReusable``), in an empty document.
///
/// `WebSnapshottingProbe capture` shows the gain: a warm image takes about five times as long without the pool.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class TabPool: @unchecked Sendable {
  /// The maximum number of captures in one tab, which limits what a process leaks.
  static let maximumUses = 100
  /// A handler of the page's end may never return.
  static let resetLimit = Duration.seconds(1)

  private let limit: Int
  private let clock: any Clock<Duration>
  private let lock = NSLock()
  private var idle: [Tab] = []
  private var resetting = 0
  private var isClosed = false

  init(limit: Int, clock: any Clock<Duration>) {
    self.limit = limit
    self.clock = clock
  }

  var count: Int { lock.withLock { idle.count } }

  var isResetting: Bool { lock.withLock { resetting > 0 } }

  /// Removes and returns an idle tab with a live process and the page's clock.
  func take(for page: WebPage) -> Tab? {
    lock.withLock {
      idle.removeAll { $0.failure != nil }
      let index = idle.lastIndex { $0.settings?.now == page.now }
      return index.map { idle.remove(at: $0) }
    }
  }

  func recycle(_ tab: Tab) {
    guard tab.isReusable else { return tab.close() }
    lock.withLock { resetting += 1 }
    Task(executorPreference: BrowserExecutor.shared) { [clock] in
      do {
        try await Deadline(after: Self.resetLimit, on: clock).run {
          try await first({ try await tab.reset() }, or: { try await tab.untilFailure() })
        }
        self.add(tab)?.close()
      } catch {
        tab.close()
      }
      self.lock.withLock { self.resetting -= 1 }
    }
  }

  /// Returns the tab that the new one replaces.
  private func add(_ tab: Tab) -> Tab? {
    lock.withLock {
      if isClosed { return tab }
      idle.append(tab)
      return idle.count > limit ? idle.removeFirst() : nil
    }
  }

  /// Releases all idle tabs when the browser has ended.
  func removeAll() {
    let released = lock.withLock {
      isClosed = true
      defer { idle = [] }
      return idle
    }
    // The tabs are released here and not under the lock, because the end of a tab can call this pool.
    _ = released
  }
}

extension Tab {
  fileprivate var isReusable: Bool { failure == nil && uses < TabPool.maximumUses && page?.isReusable == true }

  /// After a page without scripts, the window is kept, because that takes a tenth of the time of a new one.
  fileprivate func reset() async throws {
    let keepsWindow = traits?.isInert == true
    if keepsWindow {
      guard try await call(Scripts.emptying) == true else { throw WebError.cancelled }
    } else {
      try await showEmptyPage()
    }
    endUse(keepsWindow: keepsWindow)
  }
}
