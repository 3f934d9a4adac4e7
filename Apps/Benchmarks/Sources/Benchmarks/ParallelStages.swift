import BenchmarkHarness
import Dispatch
import Parallel

/// The stages of `Parallel`, against a struct around a closure, which does not guarantee a single callback.
let parallelStages: [Benchmark] = [
  Benchmark("struct around a closure: value and run") { iterations in
    for index in 0..<iterations { plain(index).run { blackHole($0) } }
  },
  Benchmark(
    "parallel: value and run", baseline: "struct around a closure: value and run", budget: .ratio(atMost: 2)
  ) { iterations in
    for index in 0..<iterations { available(index).run { blackHole($0) } }
  },
  Benchmark("struct around a closure: closure, map and run") { iterations in
    for index in 0..<iterations { mapped(plain(index)).run { blackHole($0) } }
  },
  // 5 allocations against 3. The others are an empty context for each of the two `@isolated(any)` closures.
  Benchmark(
    "parallel: closure, map and run", baseline: "struct around a closure: closure, map and run",
    budget: .ratio(atMost: 2.5), body: closureAndMap),
  Benchmark("parallel: allocations of closure, map and run", budget: .allocations(atMost: 5), body: closureAndMap),
  Benchmark("struct around a closure: 10 maps and run") { iterations in
    for index in 0..<iterations {
      var work = plain(index)
      for _ in 0..<10 { work = mapped(work) }
      work.run { blackHole($0) }
    }
  },
  Benchmark(
    "parallel: 10 maps and run", baseline: "struct around a closure: 10 maps and run", budget: .ratio(atMost: 2)
  ) { iterations in
    for index in 0..<iterations {
      var work = asked(index)
      for _ in 0..<10 { work = mapped(work) }
      work.run { blackHole($0) }
    }
  },
  Benchmark("struct around a closure: zip of two with DispatchGroup") { iterations in
    for index in 0..<iterations { plain(index).zip(plain(index)).run { blackHole($0) } }
  },
  // 8 allocations against 7.
  Benchmark(
    "parallel: zip of two", baseline: "struct around a closure: zip of two with DispatchGroup",
    budget: .ratio(atMost: 1.3)
  ) { iterations in
    for index in 0..<iterations { zip(asked(index), asked(index)).run { blackHole($0) } }
  },
]

@Sendable
private func closureAndMap(_ iterations: Int) {
  for index in 0..<iterations { mapped(asked(index)).run { blackHole($0) } }
}

@inline(never)
private func plain(_ value: Int) -> Plain<Int> { Plain { callback in callback(value) } }

@inline(never)
private func mapped(_ work: Plain<Int>) -> Plain<Int> { work.map { $0 + 1 } }

@inline(never)
private func available(_ value: Int) -> Parallel<Int> { Parallel(value: value) }

@inline(never)
private func asked(_ value: Int) -> Parallel<Int> { Parallel { callback in callback(value) } }

@inline(never)
private func mapped(_ work: Parallel<Int>) -> Parallel<Int> { work.map { $0 + 1 } }

/// The type of the talk: a function that takes a callback.
private struct Plain<Value> {
  let run: (@escaping (Value) -> Void) -> Void

  func map<NewValue>(_ transform: @escaping (Value) -> NewValue) -> Plain<NewValue> {
    Plain<NewValue> { callback in run { callback(transform($0)) } }
  }

  func zip<Other>(_ other: Plain<Other>) -> Plain<(Value, Other)> {
    Plain<(Value, Other)> { callback in
      let (first, second, group) = (Box<Value>(), Box<Other>(), DispatchGroup())
      group.enter()
      group.enter()
      run {
        first.value = $0
        group.leave()
      }
      other.run {
        second.value = $0
        group.leave()
      }
      group.wait()
      if let first = first.value, let second = second.value { callback((first, second)) }
    }
  }
}

/// A value that a callback fills in.
private final class Box<Value> {
  var value: Value?
}
