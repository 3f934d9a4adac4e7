// A client of `Futures` as new code writes it: no opt-out in either language mode.

import Dispatch
import Futures

enum Trouble: Error { case none }

func doubled(_ future: Future<Int, Trouble>) -> Future<String, Trouble> {
  future
    .map(immediateExecutionContext) { $0 * 2 }
    .flatMap(immediateExecutionContext) { Future(value: "\($0)") }
}

func all(_ futures: [Future<Int, Trouble>]) -> Future<[Int], Trouble> {
  futures.sequence()
}

// A context is a function: a closure that calls its argument is one.
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

@MainActor
final class Screen {
  private var title = ""

  func show(_ future: Future<String, Never>) {
    future.onSuccess { self.title = $0 }
  }
}
