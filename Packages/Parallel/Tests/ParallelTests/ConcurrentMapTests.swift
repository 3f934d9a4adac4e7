import Dispatch
import Foundation
import Parallel
import TestSupport
import Testing

@Suite("concurrentMap")
struct ConcurrentMapTests {
  @Test("concurrentMap returns the results of any number of elements in their order")
  func order() async throws {
    try await checkProperty("concurrentMap(f) = map(f)", .array(of: .int, count: 0...200)) { (numbers: [Int]) in
      let results: [Int] = try await numbers.concurrentMap(triple).value()
      return results == numbers.map(triple)
    }
  }

  @Test("concurrentMap works on arrays, slices, ranges and Data")
  func collections() async throws {
    let slice = Array(0..<100)[40..<60]
    #expect(try await slice.concurrentMap { $0 + 1 }.value() == Array(41..<61))
    #expect(try await (5..<8).concurrentMap { $0 }.value() == [5, 6, 7])
    #expect(try await (5...5).concurrentMap { $0 }.value() == [5])
    #expect(try await (5..<5).concurrentMap { $0 }.value() == [])
    #expect(try await ArraySlice<Int>().concurrentMap { $0 }.value() == [])
    #expect(try await Data([1, 2, 3]).dropFirst().concurrentMap { Int($0) }.value() == [2, 3])
  }

  @Test("concurrentMap transforms each element once in each run, and none before the run")
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

  @Test("concurrentMap keeps the order of results that take different times")
  func uneven() async throws {
    let expected = (0..<64).map { fibonacci($0 % 8 == 0 ? 18 : 1) }
    let values = try await (0..<64).concurrentMap { fibonacci($0 % 8 == 0 ? 18 : 1) }.value()
    #expect(values == expected)
  }

  @Test(
    "concurrentMap uses several threads if the machine has several cores",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func severalThreads() async throws {
    // The first two elements wait for each other, so this ends only if two run at the same time.
    let barrier = Barrier(count: 2)
    let values = try await (0..<64).concurrentMap { number in
      barrier.wait()
      return number
    }.value()
    #expect(values == Array(0..<64))
    #expect(barrier.threads.count > 1)
  }

  @Test("concurrentMap calls back on its queue")
  func queue() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "map")
    queue.setSpecific(key: key, value: true)
    let onQueue = try await [1, 2].concurrentMap(on: queue) { $0 }
      .map { _ in DispatchQueue.getSpecific(key: key) ?? false }.value()
    #expect(onQueue)
  }

  @Test("concurrentMap returns objects without leaking them")
  func objects() async throws {
    let counter = ObjectCounter()
    do {
      let objects = try await (0..<100).concurrentMap { _ in CountedObject(in: counter) }.value()
      #expect(objects.count == 100)
      withExtendedLifetime(objects) { #expect(counter.liveCount == 100) }
    }
    #expect(counter.liveCount == 0)
  }
}

@Sendable private func triple(_ number: Int) -> Int { number &* 3 }

private func fibonacci(_ number: Int) -> Int {
  number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2)
}

private final class Barrier: @unchecked Sendable {
  // Unchecked: `seen` is read and written only while `gate` is held.
  private let gate = NSCondition()
  private let count: Int
  private var seen: Set<UInt> = []

  init(count: Int) { self.count = count }

  var threads: Set<UInt> { gate.withLock { seen } }

  func wait() {
    gate.withLock {
      seen.insert(threadNumber())
      gate.broadcast()
      // On a system with only one thread the test must fail instead of hanging. A busy system needs a long timeout.
      let deadline = Date(timeIntervalSinceNow: 300)
      while seen.count < count, gate.wait(until: deadline) {}
    }
  }
}
