internal import Foundation
internal import Terminal

/// Progress on standard error: a bar on a terminal, a few plain lines in a pipe.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class ProgressLine: @unchecked Sendable {
  private let device: TerminalDevice?
  private let label: String
  private let lock = NSLock()
  private var display: ProgressDisplay
  private var completed = 0
  private var total: Int?

  /// Begins a line; without a device nothing is shown.
  init(_ label: String, on device: TerminalDevice?) {
    self.label = label
    self.device = device
    display = ProgressDisplay(.appending)
  }

  /// Sets how much there is to do, and shows it.
  func expect(_ total: Int) {
    lock.withLock {
      self.total = total
      update()
    }
  }

  /// Shows that one more is done.
  func step() {
    lock.withLock {
      completed += 1
      update()
    }
  }

  /// Leaves the line, so that what follows begins on one of its own.
  func finish() {
    lock.withLock { show(display.finish()) }
  }

  private func update() {
    // Each time: somebody may have changed the size meanwhile.
    if let device, device.isTerminal { display.medium = .rewriting(columns: device.size().columns) }
    show(display.update(ProgressBar(label, completed: completed, of: total)))
  }

  private func show(_ text: String) {
    // Progress that nobody can see is no reason to fail.
    try? device?.write(text)
  }
}
