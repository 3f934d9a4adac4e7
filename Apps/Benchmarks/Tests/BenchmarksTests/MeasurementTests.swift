@testable import BenchmarkHarness
import Foundation
import Synchronization
import Testing

@Suite("A measured benchmark") struct MeasurementTests {
  /// A clock that only the work advances.
  private final class WorkClock: Sendable {
    private let nanoseconds = Atomic<Int>(0)
    func spend(_ amount: Int) { nanoseconds.add(amount, ordering: .relaxed) }
    func now() -> Double { Double(nanoseconds.load(ordering: .relaxed)) }
  }

  @Test("the ratio of a benchmark is the time of its work divided by the time of its baseline") func ratio() async {
    let clock = WorkClock()
    let benchmark = Benchmark.ratio("fast", atMost: 0.5, to: "slow") {
      clock.spend(1_000_000)
      return 1
    } baseline: {
      clock.spend(4_000_000)
      return 1
    }
    let row = await benchmark.measure(now: clock.now)
    #expect(row.value == 0.25)
    #expect(row.nanoseconds == 1_000_000)
  }

  @Test("the time of a call that performs several operations is divided by their number") func batch() async {
    let clock = WorkClock()
    let benchmark = Benchmark.ratio("simulated operation", atMost: 8, to: "operation") {
      clock.spend(115_000)
      return 115
    } baseline: {
      clock.spend(500)
      return 1
    }
    let row = await benchmark.measure(now: clock.now)
    #expect(row.nanoseconds == 1_000)
    #expect(row.value == 2)
  }

  @Test("the samples of a benchmark and of its baseline alternate") func alternatingSamples() async {
    let clock = WorkClock()
    let calls = Atomic<Int>(0)
    // Each call is slower than the one before. Alternating samples differ by one step, separate series by many.
    let work: Benchmark.Work = {
      clock.spend(100_000_000 * calls.add(1, ordering: .relaxed).newValue)
      return 1
    }
    let row = await Benchmark.ratio("work", atMost: 1, to: "the same", of: work, baseline: work)
      .measure(now: clock.now)
    // The third of five samples is the seventh call, and the eighth call is its baseline.
    #expect(row.value == 7.0 / 8)
  }

  @Test("the row of work that throws has the error instead of a value") func failure() async {
    struct Broken: Error {}
    let row = await Benchmark.ratio("work", atMost: 1, to: "nothing") {
      throw Broken()
    } baseline: {
      1
    }.measure(now: { 0 })
    #expect(row.value == nil)
    #expect(row.error == "Broken()")
  }
}

@Suite("Counted allocations", .enabled(if: countAllocations(of: {}) != nil)) struct AllocationTests {
  private func value(of benchmark: Benchmark) async -> Double? { await benchmark.measure(now: { 0 }).value }

  @Test("allocations are divided by the number of operations") func allocations() async {
    let benchmark = Benchmark.allocations("malloc and free", atMost: 3) {
      for _ in 0..<300 { free(identity(malloc(32))) }
      return 100
    }
    #expect(await value(of: benchmark) == 3)
  }

  @Test("allocations of other threads are not counted") func otherThreads() async {
    let others = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
    Thread.detachNewThread {
      while !isOver.load(ordering: .relaxed) {
        free(identity(malloc(32)))
        others.add(1, ordering: .relaxed)
      }
    }
    let benchmark = Benchmark.allocations("malloc and free", atMost: 1) {
      let start = others.load(ordering: .relaxed)
      while others.load(ordering: .relaxed) < start + 100 { sched_yield() }
      for _ in 0..<100 { free(identity(malloc(32))) }
      return 100
    }
    #expect(await value(of: benchmark) == 1)
    isOver.store(true, ordering: .relaxed)
  }

  @Test("the count of bytes includes only blocks that stay allocated") func bytes() async throws {
    let benchmark = Benchmark.bytes("blocks", atMost: 64, count: 1_000) { count in
      free(identity(malloc(4_096)))
      return Blocks(count: count, size: 120)
    }
    // Blocks that other tests have freed can be slightly larger.
    let bytes = try #require(await value(of: benchmark))
    #expect((120..<128).contains(bytes))
  }

  @Test("a peak is the maximum of the bytes that are allocated at the same time") func peak() async throws {
    let benchmark = Benchmark.peak("blocks", atMost: 10_000) {
      for _ in 0..<3 { free(identity(malloc(8_184))) }
    }
    // The allocator may use a slightly larger block.
    #expect(try #require(await value(of: benchmark)) < 8_300)
    #expect(try #require(await value(of: benchmark)) >= 8_184)
  }

  /// Blocks that are freed with their owner, which needs no memory for each of them.
  private final class Blocks {
    private var first: UnsafeMutableRawPointer?

    init(count: Int, size: Int) {
      for _ in 0..<count {
        let block = malloc(size)
        block?.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
        first = block
      }
    }

    deinit {
      while let block = first {
        first = block.load(as: UnsafeMutableRawPointer?.self)
        free(block)
      }
    }
  }
}
