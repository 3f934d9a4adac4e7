import BenchmarkHarness
import Dispatch
import Foundation
import Parallel

/// The benchmarks of `Parallel`, against the same work with Dispatch and task groups.
let parallel: [Benchmark] = [
  Benchmark("zip of 10 values", budget: .allocations(atMost: 4)) { iterations in
    for _ in 0..<iterations {
      zip(
        ready(0), ready(1), ready(2), ready(3), ready(4), ready(5), ready(6), ready(7), ready(8), ready(9)
      ).run { blackHole($0) }
    }
  },
  Benchmark("zip of 10 synchronous closures") { iterations in
    let ten = zip(
      asked(0), asked(1), asked(2), asked(3), asked(4), asked(5), asked(6), asked(7), asked(8), asked(9))
    for _ in 0..<iterations { ten.run { blackHole($0) } }
  },
  Benchmark("traverse of 1,000 synchronous closures") { iterations in
    let thousand = (0..<1_000).traverse { asked($0) }
    for _ in 0..<iterations { thousand.run { blackHole($0.count) } }
  },
  Benchmark("concurrentPerform, 1,000 × 1 µs") { iterations in
    for _ in 0..<iterations {
      let results = UnsafeMutableBufferPointer<Int>.allocate(capacity: 1_000)
      // Each element is written once, by one iteration.
      nonisolated(unsafe) let places = results
      DispatchQueue.concurrentPerform(iterations: 1_000) { places.initializeElement(at: $0, to: microsecond($0)) }
      blackHole(results[999])
      results.deallocate()
    }
  },
  Benchmark("TaskGroup, 1,000 × 1 µs") { iterations in
    for _ in 0..<iterations { blackHole(await taskGroup(of: 1_000)) }
  },
  Benchmark(
    "concurrentMap, 1,000 × 1 µs", baseline: "concurrentPerform, 1,000 × 1 µs", budget: .ratio(atMost: 1.1),
    body: concurrentMap),
  Benchmark(
    "concurrentMap, 1,000 × 1 µs, against tasks", baseline: "TaskGroup, 1,000 × 1 µs", budget: .ratio(atMost: 0.5),
    body: concurrentMap),
]

private func ready(_ value: Int) -> Parallel<Int> { Parallel(value: identity(value)) }

private func asked(_ value: Int) -> Parallel<Int> { Parallel { callback in callback(identity(value)) } }

@Sendable
private func concurrentMap(_ iterations: Int) async {
  let work = (0..<1_000).concurrentMap(microsecond)
  // Awaited, because a blocked thread could not take part in the work.
  for _ in 0..<iterations { blackHole(try? await work.value()[999]) }
}

private func taskGroup(of count: Int) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for index in 0..<count { group.addTask { microsecond(index) } }
    return await group.reduce(0, +)
  }
}

/// About a microsecond of work that the optimiser cannot fold.
@inline(never)
@Sendable
private func microsecond(_ seed: Int) -> Int {
  var state = UInt64(truncatingIfNeeded: seed) | 1
  for _ in 0..<500 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
  }
  return Int(truncatingIfNeeded: state >> 33)
}
