import BenchmarkHarness
import Futures

/// The benchmarks of many listeners that leave one pending future, one by one.
///
/// A cost in proportion to the number of the remaining listeners would make these ratios about 50.
let futuresCancellation: [Benchmark] = [adopted] + inEachOrder

private let inEachOrder: [Benchmark] = Order.allCases.flatMap { order in
  [
    growth(of: "map with an error of its own", order.rawValue) { count in
      let promise = Promise<Int, Failure>()
      let futures = (0..<count).map { _ in promise.future.map(immediateExecutionContext) { $0 } }
      return await measure { for index in order.indices(count) { futures[index].cancel() } }
    },
    growth(of: "map with CancellationError", order.rawValue) { count in
      let promise = Promise<Int, any Error>()
      let futures = (0..<count).map { _ in promise.future.map(immediateExecutionContext) { $0 } }
      return await measure { for index in order.indices(count) { futures[index].cancel() } }
    },
    growth(of: "task in get()", order.rawValue) { count in
      let promise = Promise<Int, any Error>()
      let tasks = (0..<count).map { _ in Task { try? await promise.future.get() } }
      // Lets the tasks begin to wait.
      for _ in 0..<2 { await Task.yield() }
      return await measure {
        for index in order.indices(count) { tasks[index].cancel() }
        for task in tasks { blackHole(await task.value) }
      }
    },
  ]
}

/// Each listener is the only one, so the adopted future leaves and joins its upstream each time.
private let adopted = growth(of: "map of a promise completed with a future", "each before the next one") { count in
  let (source, promise) = (Promise<Int, Failure>(), Promise<Int, Failure>())
  promise.complete(with: source.future)
  var futures: [Future<Int, Failure>] = []
  return await measure {
    for _ in 0..<count {
      let future = promise.future.map(immediateExecutionContext) { $0 }
      futures.append(future)
      future.cancel()
    }
  }
}

/// In which order listeners leave.
private enum Order: String, CaseIterable {
  case first = "the first first"
  case last = "the last first"
  case mixed = "mixed"

  func indices(_ count: Int) -> [Int] {
    switch self {
    case .first: Array(0..<count)
    case .last: (0..<count).reversed()
    // 7,919 is prime and divides no count, so each index occurs once.
    case .mixed: (0..<count).map { $0 * 7_919 % count }
    }
  }
}

/// Compares the time of each cancellation among 100,000 with that among 2,000.
private func growth(
  of listener: String, _ order: String, _ cancel: @escaping @Sendable (_ count: Int) async -> Duration
) -> Benchmark {
  Benchmark(
    name: "future: cancel 100,000 against 2,000, \(listener), \(order)", budget: .amount(atMost: 8),
    subject: .number(unit: "times each") {
      var few = Duration.zero
      for _ in 0..<10 { few += await cancel(2_000) }
      let many = await cancel(100_000)
      return Int((many / 5 / few).rounded(.up))
    })
}

private func measure(_ work: () async -> Void) async -> Duration {
  await ContinuousClock().measure { await work() }
}

private enum Failure: Error { case failed }
