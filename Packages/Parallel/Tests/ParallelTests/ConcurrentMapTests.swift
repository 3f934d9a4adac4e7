import Dispatch
import Foundation
import Parallel
import ParallelTesting
import Testing

@Suite("concurrentMap")
struct ConcurrentMapTests {
  @Test("gives the results in the order of the elements, for any number of them")
  func order() async throws {
    try await checkProperty("concurrentMap(f) = map(f)", .array(of: .int, count: 0...200)) { (numbers: [Int]) in
      let results: [Int] = try await numbers.concurrentMap(triple).value()
      return results == numbers.map(triple)
    }
  }

  @Test("takes arrays, slices, ranges and strings of bytes alike")
  func collections() async throws {
    let slice = Array(0..<100)[40..<60]
    #expect(try await slice.concurrentMap { $0 + 1 }.value() == Array(41..<61))
    #expect(try await (5..<8).concurrentMap { $0 }.value() == [5, 6, 7])
    #expect(try await (5...5).concurrentMap { $0 }.value() == [5])
    #expect(try await (5..<5).concurrentMap { $0 }.value() == [])
    #expect(try await ArraySlice<Int>().concurrentMap { $0 }.value() == [])
    #expect(try await Data([1, 2, 3]).dropFirst().concurrentMap { Int($0) }.value() == [2, 3])
  }

  @Test("transforms each element exactly once in each run, and none before")
  func once() async throws {
    let log = Log<Int>()
    let parallel = (0..<1_000).concurrentMap { number in
      log.append(number)
      return number
    }
    #expect(log.all.isEmpty)
    _ = try await parallel.value()
    #expect(log.all.sorted() == Array(0..<1_000))
    _ = try await parallel.value()
    #expect(log.count == 2_000)
  }

  @Test("uneven work keeps its places")
  func uneven() async throws {
    let expected = (0..<64).map { fibonacci($0 % 8 == 0 ? 18 : 1) }
    let values = try await (0..<64).concurrentMap { fibonacci($0 % 8 == 0 ? 18 : 1) }.value()
    #expect(values == expected)
  }

  @Test(
    "uses several threads at a time where there are several cores",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func severalThreads() async throws {
    // The first two elements that are under way wait for each other, which only works when two are.
    let meeting = Meeting(of: 2)
    let values = try await (0..<64).concurrentMap { number in
      meeting.attend()
      return number
    }.value()
    #expect(values == Array(0..<64))
    #expect(meeting.threads.count > 1)
  }

  @Test("starts and calls back on its queue")
  func queue() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "map")
    queue.setSpecific(key: key, value: true)
    let onQueue = try await [1, 2].concurrentMap(on: queue) { $0 }
      .map { _ in DispatchQueue.getSpecific(key: key) ?? false }.value()
    #expect(onQueue)
  }

  @Test("results that are objects are neither lost nor kept")
  func objects() async throws {
    let census = Census()
    do {
      let objects = try await (0..<100).concurrentMap { _ in Tracked(in: census) }.value()
      #expect(objects.count == 100)
      withExtendedLifetime(objects) { #expect(census.population == 100) }
    }
    #expect(census.population == 0)
  }
}

@Sendable private func triple(_ number: Int) -> Int { number &* 3 }

private func fibonacci(_ number: Int) -> Int {
  number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2)
}

/// Lets nobody pass until a number of threads are there; then lets everybody pass.
private final class Meeting: @unchecked Sendable {
  // Unchecked: `attending` and `seen` are read and written only while `gate` is held.
  private let gate = NSCondition()
  private let quorum: Int
  private var seen: Set<UInt> = []

  init(of quorum: Int) { self.quorum = quorum }

  var threads: Set<UInt> { gate.withLock { seen } }

  func attend() {
    gate.withLock {
      seen.insert(threadNumber())
      gate.broadcast()
      // A system that gives only one thread must fail the test, not hang it; a busy one may take its time.
      let deadline = Date(timeIntervalSinceNow: 300)
      while seen.count < quorum, gate.wait(until: deadline) {}
    }
  }
}
