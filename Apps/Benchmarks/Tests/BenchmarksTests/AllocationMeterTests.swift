@testable import BenchmarkHarness
import Foundation
import Testing

/// Other tests of the process allocate concurrently, so that only lower bounds are certain.
@Suite("The allocation meter", .enabled(if: AllocationMeter.isAvailable)) struct AllocationMeterTests {
  @Test("the allocation meter counts every allocation") func counting() async {
    let count = await AllocationMeter.count {
      for _ in 0..<1_000 { free(identity(malloc(32))) }
    }
    #expect(count.allocations >= 1_000)
  }

  @Test("the allocation meter counts the bytes that are still allocated after the work")
  func liveBytes() async {
    // In a separate process, because memory that other tests free would be subtracted.
    await #expect(processExitsWith: .success) {
      let count = await AllocationMeter.count { Block(bytes: 1 << 20) }
      #expect((1 << 20..<1 << 21).contains(count.liveBytes))
    }
  }

  private final class Block {
    private let start: UnsafeMutableRawPointer?

    init(bytes: Int) { start = identity(malloc(bytes)) }

    deinit { free(start) }
  }

  @Test("the end of a nested count does not stop the outer count") func nesting() async {
    let count = await AllocationMeter.count {
      _ = await AllocationMeter.count {}
      for _ in 0..<1_000 { free(identity(malloc(32))) }
    }
    #expect(count.allocations >= 1_000)
  }
}
