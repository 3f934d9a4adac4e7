@testable import BenchmarkHarness
import Foundation
import Synchronization
import Testing

/// A clock that stands still until work moves it, so that a test decides how long an operation takes.
private final class WorkClock: Sendable {
  private let nanoseconds = Atomic<Int>(0)
  func spend(_ amount: Int) { nanoseconds.add(amount, ordering: .relaxed) }
  func now() -> Double { Double(nanoseconds.load(ordering: .relaxed)) }
}

/// A block that is not freed again.
private struct Live: Sendable {
  private let address: UInt
  init(_ block: UnsafeMutableRawPointer?) { address = UInt(bitPattern: block) }
}

@Suite("The runner") struct RunnerTests {
  @Test("divides a subject's time by its baseline's") func ratio() async {
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

  @Test("samples subject and baseline in turn, so that noise falls on both") func interleaving() async {
    let clock = WorkClock()
    let drift = Atomic<Int>(1)
    // Every call makes the machine slower. Taken in turn the two differ by one step; one after the other, by many.
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

  @Test("measures no time when only counts are asked for") func counted() async {
    let clock = WorkClock()
    let benchmark = Benchmark("b") { clock.spend($0) }
    let row = await Runner([benchmark], effort: .countedOnly, now: clock.now).measure(benchmark)
    #expect(row.minimum == nil)
    #expect(row.ratio == nil)
  }

  @Test("takes fewer samples of what takes long, and three at least") func longSamples() async {
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
    // One to find out how long it takes, five until the time is over.
    #expect(calls.load(ordering: .relaxed) == 6)
    let short = Runner.Effort(samples: 25, sampleLength: 1, counted: 1, longest: 0)
    _ = await Runner([benchmark], effort: short, now: clock.now).measure(benchmark)
    #expect(calls.load(ordering: .relaxed) == 6 + 1 + 3)
  }

  @Test("takes the peak of what is allocated at once", .enabled(if: AllocationMeter.isAvailable)) func peak() async {
    // In a process of its own: a peak is the process's.
    await #expect(processExitsWith: .success) {
      let benchmark = Benchmark(name: "peak", subject: .peak { for _ in 0..<3 { free(identity(malloc(1 << 20))) } })
      let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
      #expect(row.unit == "bytes")
      #expect((row.minimum ?? 0) >= Double(1 << 20))
      #expect((row.minimum ?? .infinity) < Double(1 << 21))
    }
  }

  @Test(
    "memory that something else allocates during one call changes no counted amount",
    .enabled(if: AllocationMeter.isAvailable), arguments: 1...6)
  func disturbance(call disturbed: Int) async {
    // In a process of its own, so that no other test allocates.
    await #expect(processExitsWith: .success) { [disturbed] in
      /// Leaks a mebibyte in one call of several, as another thread of the process may.
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

  @Test("takes a number as it is") func number() async {
    let benchmark = Benchmark(
      name: "depth", budget: .amount(atMost: 64), subject: .number(unit: "frames") { 65 })
    let row = await Runner([benchmark], effort: .countedOnly, now: { 0 }).measure(benchmark)
    #expect(row.unit == "frames")
    #expect(row.isFailure)
  }
}
