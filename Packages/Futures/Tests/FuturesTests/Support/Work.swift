import Futures

/// Work that can be stopped, and that counts how often it was stopped.
final class Work<T: Sendable, E: Error>: Sendable {
  let promise = Promise<T, E>()
  private let stops = Box(0)

  init() {
    promise.onCancel { [stops] in stops.update { $0 += 1 } }
  }

  var future: Future<T, E> { promise.future }
  var stopCount: Int { stops.value }
}
