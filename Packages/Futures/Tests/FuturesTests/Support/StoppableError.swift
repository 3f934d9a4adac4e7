import Futures

/// An error that can say that it was a cancellation.
enum StoppableError: Error, Equatable, CancellationRepresentable {
  case failed
  case stopped
  static var cancellation: StoppableError { .stopped }
}

/// Work at the beginning of a chain, that counts how often it was asked to stop.
final class Work<T: Sendable, E: Error>: Sendable {
  let promise = Promise<T, E>()
  private let stops = Box(0)

  init() {
    promise.onCancel { [stops] in stops.update { $0 += 1 } }
  }

  var future: Future<T, E> { promise.future }
  var stopCount: Int { stops.value }
}
