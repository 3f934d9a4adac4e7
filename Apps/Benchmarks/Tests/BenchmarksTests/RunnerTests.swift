@testable import BenchmarkHarness
import Foundation
import Synchronization
import Testing

/// A clock that only the work advances, so that a test decides the duration of an operation.
private final class WorkClock: Sendable {
  private let nanoseconds = Atomic<Int>(0)
  func spend(_ amount: Int) { nanoseconds.add(amount, ordering: .relaxed) }
  func now() -> Double { Double(nanoseconds.load(ordering: .relaxed)) }
}

/// A block that is never freed.
private struct Live: Sendable {
  private let address: UInt
  init(_ block: UnsafeMutableRawPointer?) { address = UInt(bitPattern: block) }
}

@Suite("The runner") struct RunnerTests {
  @Test("the ratio of a benchmark is the time of the subject divided by the time of its baseline") func ratio() async {
    let clock = WorkClock()
    let baseline = Benchmark("slow") { clock.spend(40 * $0) }
    let subject = Benchmark("fast", baseline: "slow", budget: .ratio(atMost: 0.5)) { clock.spend(10 * $0) }
    let effort = Runner.Effort(samples: 5, sampleLength: 1_000, counted: 4)
    let row = await Runner([baseline, subject], effort: effort, now: clock.now).measure(subject)
    #expect(row.minimum == 10)
    #expect(row.median == 10)
    #expect(row.ratio == 0.25)
    #expect(row.within == true)
  }

  @Test("the samples of a benchmark and of its baseline alternate") func alternatingSamples() async {
    let clock = WorkClock()
    let drift = Atomic<Int>(1)
    // Every call is slower than the one before. Alternating samples differ by one step, separate series by many.
    let body: @Sendable (Int) async -> Void = { count in
      clock.spend(count * drift.add(1, ordering: .relaxed).newValue)
    }
    let baseline = Benchmark("baseline", body: body)
    let subject = Benchmark("subject", baseline: "baseline", body: body)
    let effort = Runner.Effort(samples: 50, sampleLength: 1, counted: 1)
    let row = await Runner([baseline, subject], effort: effort, now: clock.now).measure(subject)
    #expect((row.ratio ?? 0) > 0.97)
    #expect((row.ratio ?? 2) < 1)
  }

  @Test("a counted-only run measures no time") func countedOnly() async {
    let clock = WorkClock()
    let benchmark = Benchmark("b") { clock.spend($0) }
    let row = await Runner([benchmark], effort: .countedOnly, now: clock.now).measure(benchmark)
    #expect(row.minimum == nil)
    #expect(row.ratio == nil)
  }

  @Test("a slow benchmark gets fewer samples, but at least three") func slowBenchmark() async {
    let clock = WorkClock()
    let calls = Atomic<Int>(0)
    let benchmark = Benchmark(
      name: "slow",
      subject: .duration { count in
        calls.add(1, ordering: .relaxed)
        clock.spend(1_000 * count)
      })
    let effort = Runner.Effort(samples: 25, sampleLength: 1, counted: 1, longest: 4_500)
    let row = await Runner([benchmark], effort: effort, now: clock.now).measure(benchmark)
    #expect(row.median == 1_000)
    #expect(row.allocations == nil)
    // The calibration makes one call, and the samples make five until the time limit.
    #expect(calls.load(ordering: .relaxed) == 6)
    let short = Runner.Effort(samples: 25, sampleLength: 1, counted: 1, longest: 0)
    _ = await Runner([benchmark], effort: short, now: clock.now).measure(benchmark)
    #expect(calls.load(ordering: .relaxed) == 6 + 1 + 3)
  }

  @Test("a peak benchmark reports the maximum of live bytes", .enabled(if: AllocationMeter.isAvailable))
  func peak() async {
    // In a separate process, because the peak counts the whole process.
    await #expect(processExitsWith: .success) {
      let benchmark = Benchmark(name: "peak", subject: .peak { for _ in 0..<3 { free(identity(malloc(1 << 20))) } })
      let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
      #expect(row.unit == "bytes")
      #expect((row.minimum ?? 0) >= Double(1 << 20))
      #expect((row.minimum ?? .infinity) < Double(1 << 21))
    }
  }

  @Test(
    "allocations of other code during one call do not change a counted amount",
    .enabled(if: AllocationMeter.isAvailable), arguments: 1...6)
  func otherAllocations(call disturbed: Int) async {
    // In a separate process, where no other test allocates.
    await #expect(processExitsWith: .success) { [disturbed] in
      /// Leaks 1 MiB in one of several calls, as another thread of the process might.
      let calls = Atomic<Int>(0)
      let disturb: @Sendable () -> Void = {
        if calls.add(1, ordering: .relaxed).newValue == disturbed { blackHole(malloc(1 << 20)) }
      }
      let subjects: [(Benchmark.Subject, Double)] = [
        (
          .bytes { count in
            disturb()
            return (0..<count).map { _ in Live(identity(malloc(64))) }
          }, 128
        ),
        (
          .peak {
            disturb()
            free(identity(malloc(4_096)))
          }, 8_192
        ),
        (
          .time { count in
            disturb()
            for _ in 0..<count { free(identity(malloc(32))) }
          }, 1
        ),
      ]
      for (subject, most) in subjects {
        calls.store(0, ordering: .relaxed)
        let benchmark = Benchmark(name: "disturbed", subject: subject)
        let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
        #expect((row.allocations ?? row.minimum ?? .infinity) <= most)
        #expect((row.allocations ?? row.minimum ?? 0) > 0)
      }
    }
  }

  @Test("a number above its budget is measured again, and fails if it stays above")
  func repeatedNumber() async {
    for (values, fails) in [([65, 64], false), ([65, 65], true)] {
      let calls = Atomic<Int>(0)
      let benchmark = Benchmark(
        name: "depth", budget: .amount(atMost: 64),
        subject: .number(unit: "frames") { values[min(calls.add(1, ordering: .relaxed).oldValue, 1)] })
      let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
      #expect(row.isFailure == fails)
      #expect(calls.load(ordering: .relaxed) == (fails ? 5 : 2))
    }
  }

  @Test(
    "bytes above their budget are measured again, and fail if they stay above",
    .enabled(if: AllocationMeter.isAvailable))
  func repeatedBytes() async {
    // In a separate process, where no other test allocates.
    await #expect(processExitsWith: .success) {
      // A measurement takes 11 calls: one to warm up, and two for each of five samples.
      for (callsAbove, calls, fails) in [(11, 22, false), (Int.max, 55, true)] {
        let made = Atomic<Int>(0)
        let benchmark = Benchmark(
          name: "blocks", budget: .amount(atMost: 128),
          subject: .bytes { count in
            let size = made.add(1, ordering: .relaxed).newValue <= callsAbove ? 1_024 : 64
            return (0..<count).map { _ in Live(identity(malloc(size))) }
          })
        let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
        #expect(row.isFailure == fails)
        #expect(made.load(ordering: .relaxed) == calls)
      }
    }
  }

  @Test("a number benchmark reports its value unchanged") func number() async {
    let benchmark = Benchmark(
      name: "depth", budget: .amount(atMost: 64), subject: .number(unit: "frames") { 65 })
    let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
    #expect(row.unit == "frames")
    #expect(row.isFailure)
  }
}
