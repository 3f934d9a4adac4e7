internal import Foundation
internal import Terminal

/// How far the tour is, on standard error: a bar on a terminal, a line for each station in a pipe.
///
/// `@unchecked Sendable`: `lock` guards `display` and `bar`.
final class TourProgress: @unchecked Sendable {
  private let device: TerminalDevice?
  private let lock = NSLock()
  private var display: ProgressDisplay
  private var bar = ProgressBar("", completed: 0, of: nil)

  /// Shows nothing without a device.
  init(on device: TerminalDevice?) {
    self.device = device
    display = ProgressDisplay(.rewriting(columns: 80))
  }

  func show(_ event: TourEvent) {
    guard let device else { return }
    lock.withLock {
      if case .began(let station, let number, let count) = event {
        bar = ProgressBar(station.title, completed: number - 1, of: count)
        if !device.isTerminal { try? device.write("\(number)/\(count) \(station.title)\n") }
      } else {
        bar.completed += 1
      }
      guard device.isTerminal else { return }
      // Each time: somebody may have changed the size meanwhile.
      display.medium = .rewriting(columns: device.size().columns)
      // Progress that nobody can see is no reason to fail.
      try? device.write(display.update(bar))
    }
  }

  /// Leaves the line, so that what follows begins on one of its own.
  func finish() {
    lock.withLock { try? device?.write(display.finish()) }
  }
}
