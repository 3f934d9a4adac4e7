internal import Foundation
internal import Terminal

/// Progress on standard error: a bar on a terminal, plain lines in a pipe.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
final class ProgressLine: @unchecked Sendable {
  private let device: TerminalDevice?
  private let label: String
  private let lock = NSLock()
  private var display: ProgressDisplay
  private var completed = 0
  private var total: Int?

  /// Creates a progress line, which prints nothing without a device.
  init(_ label: String, on device: TerminalDevice?) {
    self.label = label
    self.device = device
    display = ProgressDisplay(.appending)
  }

  func expect(_ total: Int) {
    lock.withLock {
      self.total = total
      update()
    }
  }

  func step() {
    lock.withLock {
      completed += 1
      update()
    }
  }

  /// Ends the line, so that further output starts on a new line.
  func finish() {
    lock.withLock { show(display.finish()) }
  }

  private func update() {
    // The terminal can be resized at any time.
    if let device, device.isTerminal { display.medium = .rewriting(columns: device.size().columns) }
    show(display.update(ProgressBar(label, completed: completed, of: total)))
  }

  private func show(_ text: String) {
    // A failed write of progress is not an error.
    try? device?.write(text)
  }
}
