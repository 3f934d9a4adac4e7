// New code for `Futures`, without an opt-out in either language mode.

import Dispatch
import Futures

enum Trouble: Error, CancellationRepresentable {
  case none, late, stopped
  static var cancellation: Trouble { .stopped }
}

func doubled(_ future: Future<Int, Trouble>) -> Future<String, Trouble> {
  future
    .map(immediateExecutionContext) { $0 * 2 }
    .flatMap(immediateExecutionContext) { Future(value: "\($0)") }
}

func all(_ futures: [Future<Int, Trouble>]) -> Future<[Int], Trouble> {
  futures.sequence()
}

// A context is a function that calls its argument.
let onTheSpot: ExecutionContext = { $0() }

func listened(_ promise: Promise<Int, Trouble>) {
  promise.future
    .onSuccess(onTheSpot) { print($0) }
    .onFailure(DispatchQueue.main.context) { print($0) }
  promise.success(1)
}

func awaited(_ future: Future<Int, Trouble>) async throws -> Int {
  try await future.get()
}

func stopped(_ promise: Promise<Int, Trouble>) {
  promise.onCancel { promise.failure(.stopped) }
  promise.future.map(onTheSpot) { $0 + 1 }.cancel()
}

func patient(_ attempt: @escaping @Sendable (Int) -> Future<Int, Trouble>) -> Future<Int, Trouble> {
  retry(
    RetryPolicy(attempts: 3, backoff: .exponential(from: .milliseconds(10), atMost: .seconds(1))), operation: attempt
  )
  .timeout(after: .seconds(5), failingWith: .late)
}

func certain(_ future: Future<Int, Never>) async throws(CancellationError) -> Int {
  try await future.value(orCancelled: CancellationError())
}

func printed(_ futures: [Future<Int, Trouble>]) async {
  for await result in futures.resultsInCompletionOrder() { print(result) }
}

@MainActor
final class Screen {
  private var title = ""

  func show(_ future: Future<String, Never>) {
    future.onSuccess { self.title = $0 }
  }
}
