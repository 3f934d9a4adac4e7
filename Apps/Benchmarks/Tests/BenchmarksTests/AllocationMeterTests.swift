@testable import BenchmarkHarness
import Foundation
import Testing

/// Other tests of the process allocate meanwhile, so only lower bounds are certain.
@Suite("The allocation meter", .enabled(if: AllocationMeter.isAvailable)) struct AllocationMeterTests {
  @Test("counts every allocation") func counting() async {
    let count = await AllocationMeter.count {
      for _ in 0..<1_000 { free(identity(malloc(32))) }
    }
    #expect(count.allocations >= 1_000)
  }

  @Test("counts what stays alive, in bytes") func live() async {
    let count = await AllocationMeter.count { [UInt8](repeating: 1, count: 50_000_000) }
    #expect(count.liveBytes >= 40_000_000)
  }

  @Test("goes on counting when a count within it ends") func nesting() async {
    let count = await AllocationMeter.count {
      _ = await AllocationMeter.count {}
      for _ in 0..<1_000 { free(identity(malloc(32))) }
    }
    #expect(count.allocations >= 1_000)
  }
}
