import BenchmarkHarness
import Foundation
import Futures

/// The benchmarks of futures, as a client in another module uses them.
let futures: [Benchmark] = [
  Benchmark("future: completed + get", budget: .allocations(atMost: 1)) { iterations in
    for index in 0..<iterations { blackHole(identity(Future<Int, Failure>(value: identity(index))).value) }
  },
  Benchmark("future: promise + callback + complete", budget: .allocations(atMost: 1), body: promiseCallbackComplete),
  Benchmark("future: promise + callback that captures + complete", budget: .allocations(atMost: 3)) { iterations in
    for index in 0..<iterations {
      let promise = Promise<Int, Failure>()
      let captured = identity(index)
      promise.future.onComplete(immediateExecutionContext) { blackHole(($0, captured)) }
      promise.success(captured)
    }
  },
  Benchmark(
    "future: promise + callback + complete, against a Task", baseline: "Task create+await", budget: .ratio(atMost: 0.4),
    body: promiseCallbackComplete),
  Benchmark("future: 10 maps, then complete", budget: .allocations(atMost: 11)) { iterations in
    for index in 0..<iterations {
      let promise = Promise<Int, Failure>()
      var future = promise.future
      for _ in 0..<10 { future = future.map(immediateExecutionContext) { $0 &+ 1 } }
      promise.success(identity(index))
      blackHole(future.value)
    }
  },
  Benchmark("future: 10 maps on a completed future", budget: .allocations(atMost: 11)) { iterations in
    for index in 0..<iterations {
      var future = Future<Int, Failure>(value: identity(index))
      for _ in 0..<10 { future = future.map(immediateExecutionContext) { $0 &+ 1 } }
      blackHole(future.value)
    }
  },
  Benchmark("future: 10 flatMaps, then complete", budget: .allocations(atMost: 21)) { iterations in
    for index in 0..<iterations {
      let promise = Promise<Int, Failure>()
      var future = promise.future
      for _ in 0..<10 { future = future.flatMap(immediateExecutionContext) { Future(value: $0 &+ 1) } }
      promise.success(identity(index))
      blackHole(future.value)
    }
  },
  Benchmark("future: zip of two, then complete", budget: .allocations(atMost: 5)) { iterations in
    for index in 0..<iterations {
      let (first, second) = (Promise<Int, Failure>(), Promise<Int, Failure>())
      let both = first.future.zip(second.future)
      first.success(identity(index))
      second.success(identity(index))
      blackHole(both.value?.1)
    }
  },
  Benchmark("future: TaskGroup of 1,000") { iterations in
    for _ in 0..<iterations { blackHole(await sumInTaskGroup(of: 1_000)) }
  },
  Benchmark(
    "future: sequence of 1,000 pending", baseline: "future: TaskGroup of 1,000", budget: .ratio(atMost: 0.2),
    body: sequence),
  // Two allocations for each element, for the promise and the future, and a few for the arrays.
  Benchmark(
    "future: sequence of 1,000 pending, including promises", budget: .allocations(atMost: 2_010), body: sequence),
  Benchmark(
    name: "future: pending, without callbacks", budget: .amount(atMost: 80),
    subject: .bytes { count in
      let promises = (0..<count).map { _ in Promise<Int, Failure>() }
      // Only the futures stay alive.
      return promises.map { $0.future }
    }),
  Benchmark(
    name: "future: each map on a pending future", budget: .amount(atMost: 104),
    subject: .bytes { count in
      let promise = Promise<Int, Failure>()
      var future = promise.future
      for _ in 0..<count { future = future.map(immediateExecutionContext) { $0 &+ 1 } }
      return Kept(promise, future)
    }),
  Benchmark(
    name: "future: each flatMap on a pending future", budget: .amount(atMost: 104),
    subject: .bytes { count in
      let promise = Promise<Int, Failure>()
      var future = promise.future
      for _ in 0..<count { future = future.flatMap(immediateExecutionContext) { Future(value: $0 &+ 1) } }
      return Kept(promise, future)
    }),
]

private enum Failure: Error { case failed }

/// Keeps a promise and its future alive while the bytes are counted.
private struct Kept: Sendable {
  let promise: Promise<Int, Failure>
  let future: Future<Int, Failure>

  init(_ promise: Promise<Int, Failure>, _ future: Future<Int, Failure>) {
    self.promise = promise
    self.future = future
  }
}

@Sendable
private func promiseCallbackComplete(_ iterations: Int) async {
  for index in 0..<iterations {
    let promise = Promise<Int, Failure>()
    promise.future.onComplete(immediateExecutionContext) { blackHole($0) }
    promise.success(identity(index))
  }
}

@Sendable
private func sequence(_ iterations: Int) async {
  for index in 0..<iterations {
    let promises = (0..<1_000).map { _ in Promise<Int, Failure>() }
    let all = promises.map { $0.future }.sequence()
    for promise in promises { promise.success(identity(index)) }
    blackHole(all.value?.count)
  }
}

func sumInTaskGroup(of count: Int) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for index in 0..<count { group.addTask { identity(index) } }
    return await group.reduce(0, +)
  }
}
