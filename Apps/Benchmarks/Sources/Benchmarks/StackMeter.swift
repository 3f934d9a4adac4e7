import BenchmarkHarness
import Foundation
import Synchronization

/// Measures the maximum depth of the stack between the start of the work and the calls of `note(_:)`.
final class StackMeter: Sendable {
  private let lowest = Atomic(Int.max)

  private let top = Atomic(0)

  /// Runs work on a new thread and returns the bytes of stack between its start and the deepest note.
  static func depth(
    stackSize: Int = 8 << 20, _ meter: StackMeter = StackMeter(), of work: @escaping @Sendable (StackMeter) -> Void
  ) -> Int {
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      meter.top.store(addressOfFrame(), ordering: .relaxed)
      work(meter)
      isDone.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    isDone.wait()
    let lowest = meter.lowest.load(ordering: .relaxed)
    // Without a note nothing was measured, so a huge value exceeds the budget.
    return lowest == .max ? 1 << 40 : meter.top.load(ordering: .relaxed) - lowest
  }

  @discardableResult
  func note(_ value: Int) -> Int {
    lowest.min(addressOfFrame(), ordering: .relaxed)
    return value
  }
}

/// Returns an address in the current stack frame.
@inline(never)
private func addressOfFrame() -> Int {
  var local = identity(UInt8(0))
  return withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
}
