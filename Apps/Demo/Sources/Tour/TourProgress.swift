internal import Foundation
internal import Terminal

/// The progress of the tour on standard error: a bar on a terminal, a line for each station in a pipe.
///
/// `@unchecked Sendable`: `lock` guards `display` and `bar`.
final class TourProgress: @unchecked Sendable {
  private let device: TerminalDevice?
  private let lock = NSLock()
  private var display: ProgressDisplay
  private var bar = ProgressBar("", completed: 0, of: nil)

  /// Creates the progress display, which prints nothing without a device.
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
      // The terminal can be resized at any time.
      display.medium = .rewriting(columns: device.size().columns)
      // A failed write of progress is not an error.
      try? device.write(display.update(bar))
    }
  }

  /// Ends the line, so that further output starts on a new line.
  func finish() {
    lock.withLock { try? device?.write(display.finish()) }
  }
}
