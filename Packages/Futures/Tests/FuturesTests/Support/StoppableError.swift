import Futures

/// An error with a case for cancellation.
enum StoppableError: Error, Equatable, CancellationRepresentable {
  case failed
  case stopped
  static var cancellation: StoppableError { .stopped }
}
