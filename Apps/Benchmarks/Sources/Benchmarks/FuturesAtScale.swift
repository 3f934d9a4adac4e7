import BenchmarkHarness
import Foundation
import Futures

/// The benchmarks of many futures, of several threads and of deep chains.
let futuresAtScale: [Benchmark] =
  [
    Benchmark("future: each map, in chains of 100", baseline: "Task create+await", budget: .ratio(atMost: 0.29)) {
      count in
      for _ in 0..<max(1, count / 100) {
        let promise = Promise<Int, Failure>()
        var future = promise.future
        for _ in 0..<100 { future = future.map(immediateExecutionContext) { $0 &+ 1 } }
        promise.success(identity(count))
        blackHole(future.value)
      }
    },
    Benchmark("future: each flatMap, in chains of 100", baseline: "Task create+await", budget: .ratio(atMost: 0.6)) {
      count in
      for _ in 0..<max(1, count / 100) {
        let promise = Promise<Int, Failure>()
        var future = promise.future
        for _ in 0..<100 { future = future.flatMap(immediateExecutionContext) { Future(value: $0 &+ 1) } }
        promise.success(identity(count))
        blackHole(future.value)
      }
    },
    Benchmark("future: TaskGroup of 10,000") { iterations in
      for _ in 0..<iterations { blackHole(await sumInTaskGroup(of: 10_000)) }
    },
    Benchmark(
      name: "future: sequence of 10,000 pending", baseline: "future: TaskGroup of 10,000", budget: .ratio(atMost: 0.2),
      subject: .part { iterations, stopwatch in
        for index in 0..<iterations {
          let promises = (0..<10_000).map { _ in Promise<Int, Failure>() }
          let futures = promises.map { $0.future }
          stopwatch.measure {
            let all = futures.sequence()
            for promise in promises { promise.success(identity(index)) }
            blackHole(all.value?.count)
          }
        }
      }),
    Benchmark(
      "future: sequence of 10,000 pending, including promises", baseline: "future: TaskGroup of 10,000",
      budget: .ratio(atMost: 0.2)
    ) { iterations in
      for index in 0..<iterations {
        let promises = (0..<10_000).map { _ in Promise<Int, Failure>() }
        let all = promises.map { $0.future }.sequence()
        for promise in promises { promise.success(identity(index)) }
        blackHole(all.value?.count)
      }
    },
    Benchmark(
      name: "future: allocations of a sequence, each element", budget: .amount(atMost: 2),
      subject: .number(unit: "allocations") {
        func allocations(_ count: Int) async -> Int {
          let promises = (0..<count).map { _ in Promise<Int, Failure>() }
          let futures = promises.map { $0.future }
          return await Int(
            AllocationMeter.count {
              let all = futures.sequence()
              for promise in promises { promise.success(1) }
              blackHole(all.value?.count)
            }.allocations)
        }
        return roundedUp(await allocations(20_000) - allocations(10_000), dividedBy: 10_000)
      }),
    Benchmark(
      name: "lock and array: race of register and complete, 2 threads",
      subject: .part { count, stopwatch in
        duel(count, stopwatch) {
          LockedFuture<Int>()
        } first: {
          $0.onComplete { blackHole($0) }
        } second: {
          $0.complete(1)
        }
      }),
    Benchmark(
      name: "future: race of register and complete, 2 threads",
      baseline: "lock and array: race of register and complete, 2 threads", budget: .ratio(atMost: 0.5),
      subject: .part { count, stopwatch in
        duel(count, stopwatch) {
          Promise<Int, Failure>()
        } first: {
          $0.future.onComplete(immediateExecutionContext) { blackHole($0) }
        } second: {
          $0.success(1)
        }
      }),
    Benchmark(
      name: "future: each step of a recursive flatMap with hops", budget: .amount(atMost: 0),
      subject: .bytes { count in
        let recursion = Recursion()
        let future = recursion.start()
        for _ in 0..<count * 100 { recursion.resume() }
        return Pair(recursion, future)
      }),
  ]
  + depths.map { depth in
    Benchmark(
      name: "future: stack of 1,000,000 \(depth.name)", budget: .amount(atMost: 64 * 1024),
      subject: .number(unit: "bytes of stack") { StackMeter.depth(of: depth.work) })
  }

/// The chains whose stack use must not grow with their length.
private let depths: [(name: String, work: @Sendable (StackMeter) -> Void)] = [
  (
    "maps",
    { meter in
      let promise = Promise<Int, Failure>()
      var future = promise.future
      for _ in 0..<1_000_000 { future = future.map(immediateExecutionContext) { meter.note($0) } }
      promise.success(1)
    }
  ),
  (
    "flatMaps",
    { meter in
      let promise = Promise<Int, Failure>()
      var future = promise.future
      for _ in 0..<1_000_000 { future = future.flatMap(immediateExecutionContext) { Future(value: meter.note($0)) } }
      promise.success(1)
    }
  ),
  (
    "recursive flatMaps",
    { meter in
      @Sendable func count(_ rest: Int) -> Future<Int, Failure> {
        Future(value: rest).flatMap(immediateExecutionContext) { rest in
          meter.note(rest) == 0 ? Future(value: 0) : count(rest - 1)
        }
      }
      blackHole(count(1_000_000).value)
    }
  ),
  (
    "recursive flatMaps with hops",
    { meter in
      let recursion = Recursion { meter.note(0) }
      let future = recursion.start()
      for _ in 0..<1_000_000 { recursion.resume() }
      blackHole(future.value)
    }
  ),
  (
    "maps, released",
    { meter in
      var promise: Promise<Int, Failure>? = Promise()
      var future = promise?.future
      for _ in 0..<1_000_000 {
        future = future?.map(immediateExecutionContext) { [probe = DeinitProbe(meter)] in (probe, $0).1 }
      }
      promise = nil
      future = nil
    }
  ),
  (
    "futures in a sequence",
    { meter in
      let promises = (0..<1_000_000).map { _ in Promise<Int, Failure>() }
      let all = promises.map { $0.future }.sequence().map(immediateExecutionContext) { meter.note($0.count) }
      for promise in promises { promise.success(1) }
      blackHole(all.value)
    }
  ),
  (
    "maps, cancelled",
    { meter in
      let promise = Promise<Int, any Error>()
      promise.onCancel { meter.note(0) }
      var future = promise.future
      for _ in 0..<1_000_000 { future = future.map(immediateExecutionContext) { $0 } }
      future.onFailure(immediateExecutionContext) { _ in meter.note(0) }
      future.cancel()
    }
  ),
]

private enum Failure: Error { case failed }

private struct Pair: Sendable {
  let recursion: Recursion
  let future: Future<Int, Failure>

  init(_ recursion: Recursion, _ future: Future<Int, Failure>) {
    self.recursion = recursion
    self.future = future
  }
}

/// An endless recursion in which each step waits for a call of `resume()`.
///
/// `@unchecked Sendable`: one thread uses it.
private final class Recursion: @unchecked Sendable {
  private var current = Promise<Int, Failure>()
  private let inStep: () -> Void

  init(_ inStep: @escaping () -> Void = {}) {
    self.inStep = inStep
  }

  func start() -> Future<Int, Failure> {
    current = Promise()
    return current.future.flatMap(immediateExecutionContext) { _ in
      self.inStep()
      return self.start()
    }
  }

  func resume() {
    current.success(0)
  }
}

/// Notes the depth of the stack in its deinitialiser.
private final class DeinitProbe: Sendable {
  private let meter: StackMeter

  init(_ meter: StackMeter) {
    self.meter = meter
  }

  deinit {
    meter.note(0)
  }
}
