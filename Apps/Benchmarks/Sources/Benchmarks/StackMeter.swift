import BenchmarkHarness
import Foundation
import Synchronization

/// How deep the stack was at its deepest, between where the measurement began and where it was noted.
final class StackMeter: Sendable {
  private let lowest = Atomic(Int.max)

  private let top = Atomic(0)

  /// Runs work on a thread with a stack of so many bytes, and gives the bytes between its beginning and the deepest note.
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
    // Nothing noted would be a depth of nothing: a mistake of the benchmark, to be seen.
    return lowest == .max ? 1 << 40 : meter.top.load(ordering: .relaxed) - lowest
  }

  @discardableResult
  func note(_ value: Int) -> Int {
    lowest.min(addressOfFrame(), ordering: .relaxed)
    return value
  }
}

/// An address in the frame of a function that is called here.
@inline(never)
private func addressOfFrame() -> Int {
  var local = identity(UInt8(0))
  return withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
}
