import BenchmarkHarness
import Futures

/// The benchmarks of futures, as a client in another module uses them.
let futures: [Benchmark] = [
  .allocations("future: completed + get", atMost: 1) {
    blackHole(identity(Future<Int, LoginError>(value: identity(1))).value)
    return 1
  },
  .bytes("future: pending, without callbacks", atMost: 192) { count in
    let promises = (0..<count).map { _ in Promise<Int, LoginError>() }
    // Only the futures stay alive.
    return promises.map { $0.future }
  },
  .allocations("future: promise + callback + complete", atMost: 2, of: promiseCallbackComplete),
  .ratio("future: promise + callback + complete", atMost: 0.4, to: "a task and its value") {
    promiseCallbackComplete()
  } baseline: {
    await taskValues()
  },
  .allocations("future: promise + callback that captures + complete", atMost: 4) {
    let promise = Promise<Int, LoginError>()
    let captured = identity(1)
    promise.future.onComplete(immediateExecutionContext) { blackHole(($0, captured)) }
    promise.success(captured)
    return 1
  },
  .ratio("future: await a completed future", atMost: 1.5, to: "the value of a completed task") {
    let future = Future<Int, Never>(value: identity(1))
    for _ in 0..<1_000 { blackHole(await future.get()) }
    return 1_000
  } baseline: {
    let task = Task { identity(1) }
    for _ in 0..<1_000 { blackHole(await task.value) }
    return 1_000
  },
  .allocations("future: 10 maps, then complete", atMost: 21) {
    maps(10)
    return 1
  },
  .ratio("future: each map, in chains of 100", atMost: 0.29, to: "a task and its value") {
    for _ in 0..<10 { maps(100) }
    return 1_000
  } baseline: {
    await taskValues()
  },
  .allocations("future: 10 flatMaps, then complete", atMost: 41) {
    flatMaps(10)
    return 1
  },
  .ratio("future: each flatMap, in chains of 100", atMost: 0.6, to: "a task and its value") {
    for _ in 0..<10 { flatMaps(100) }
    return 1_000
  } baseline: {
    await taskValues()
  },
  .allocations("future: zip of two, then complete", atMost: 7) {
    let (first, second) = (Promise<Int, LoginError>(), Promise<Int, LoginError>())
    let both = first.future.zip(second.future)
    first.success(identity(1))
    second.success(identity(2))
    blackHole(both.value?.1)
    return 1
  },
  .ratio("future: zip of 10, then complete", atMost: 1, to: "a task group of 10") {
    for _ in 0..<100 {
      let p = (0..<10).map { _ in Promise<Int, LoginError>() }
      let all = zip(
        p[0].future, p[1].future, p[2].future, p[3].future, p[4].future, p[5].future, p[6].future, p[7].future,
        p[8].future, p[9].future)
      for promise in p { promise.success(identity(1)) }
      blackHole(all.value?.9)
    }
    return 100
  } baseline: {
    for _ in 0..<100 { blackHole(await sumInTaskGroup(of: 10)) }
    return 100
  },
  // Three allocations for each element: the promise, the future, and its link.
  .allocations("future: sequence of 1,000 pending", atMost: 3_017) {
    sequence(1_000)
    return 1
  },
  .ratio("future: sequence of 10,000 pending", atMost: 0.2, to: "a task group of 10,000") {
    sequence(10_000)
    return 1
  } baseline: {
    blackHole(await sumInTaskGroup(of: 10_000))
    return 1
  },
  // A cost in proportion to the remaining listeners would make this ratio about 50.
  .ratio("future: cancel each of 100,000 tasks in get(), the last first", atMost: 3, to: "each of 2,000") {
    await cancelTasks(100_000)
  } baseline: {
    await cancelTasks(2_000)
  },
]

private enum LoginError: Error { case refused }

@Sendable
private func promiseCallbackComplete() -> Int {
  for index in 0..<1_000 {
    let promise = Promise<Int, LoginError>()
    promise.future.onComplete(immediateExecutionContext) { blackHole($0) }
    promise.success(identity(index))
  }
  return 1_000
}

private func maps(_ count: Int) {
  let promise = Promise<Int, LoginError>()
  var future = promise.future
  for _ in 0..<count { future = future.map(immediateExecutionContext) { $0 &+ 1 } }
  promise.success(identity(1))
  blackHole(future.value)
}

private func flatMaps(_ count: Int) {
  let promise = Promise<Int, LoginError>()
  var future = promise.future
  for _ in 0..<count { future = future.flatMap(immediateExecutionContext) { Future(value: $0 &+ 1) } }
  promise.success(identity(1))
  blackHole(future.value)
}

private func sequence(_ count: Int) {
  let promises = (0..<count).map { _ in Promise<Int, LoginError>() }
  let all = promises.map { $0.future }.sequence()
  for promise in promises { promise.success(identity(1)) }
  blackHole(all.value?.count)
}

private func cancelTasks(_ count: Int) async -> Int {
  let promise = Promise<Int, any Error>()
  let tasks = (0..<count).map { _ in Task { try? await promise.future.get() } }
  // Lets the tasks begin to wait.
  for _ in 0..<2 { await Task.yield() }
  for task in tasks.reversed() { task.cancel() }
  for task in tasks { blackHole(await task.value) }
  return count
}

private func taskValues() async -> Int {
  for index in 0..<1_000 { blackHole(await Task { identity(index) }.value) }
  return 1_000
}

private func sumInTaskGroup(of count: Int) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for index in 0..<count { group.addTask { identity(index) } }
    return await group.reduce(0, +)
  }
}
