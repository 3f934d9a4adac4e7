import BenchmarkHarness
import Parallel

let parallel: [Benchmark] = [
  .allocations("parallel: zip of 10 values", atMost: 59) {
    for _ in 0..<1_000 {
      zip(
        ready(0), ready(1), ready(2), ready(3), ready(4), ready(5), ready(6), ready(7), ready(8), ready(9)
      ).run { blackHole($0) }
    }
    return 1_000
  },
  .allocations("parallel: closure, map and run", atMost: 19) {
    for index in 0..<1_000 { mapped(asked(index)).run { blackHole($0) } }
    return 1_000
  },
  .ratio("parallel: 10 maps and run", atMost: 5, to: "a struct around a closure") {
    for index in 0..<1_000 {
      var work = asked(index)
      for _ in 0..<10 { work = mapped(work) }
      work.run { blackHole($0) }
    }
    return 1_000
  } baseline: {
    for index in 0..<1_000 {
      var work = plain(index)
      for _ in 0..<10 { work = mapped(work) }
      work.run { blackHole($0) }
    }
    return 1_000
  },
]

private func ready(_ value: Int) -> Parallel<Int> { Parallel(value: identity(value)) }

@inline(never)
private func asked(_ value: Int) -> Parallel<Int> { Parallel { callback in callback(value) } }

@inline(never)
private func mapped(_ work: Parallel<Int>) -> Parallel<Int> { work.map { $0 + 1 } }

/// The type of the talk: a function that takes a callback, without the guarantee of a single callback.
private struct Plain<Value> {
  let run: (@escaping (Value) -> Void) -> Void

  func map<NewValue>(_ transform: @escaping (Value) -> NewValue) -> Plain<NewValue> {
    Plain<NewValue> { callback in run { callback(transform($0)) } }
  }
}

@inline(never)
private func plain(_ value: Int) -> Plain<Int> { Plain { callback in callback(value) } }

@inline(never)
private func mapped(_ work: Plain<Int>) -> Plain<Int> { work.map { $0 + 1 } }
